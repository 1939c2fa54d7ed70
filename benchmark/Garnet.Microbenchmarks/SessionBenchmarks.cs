// A whole session over in-memory pipes: parse, dispatch, store, reply; no socket.
using System.Buffers;
using System.IO.Pipelines;
using System.Text;
using BenchmarkDotNet.Attributes;
using Garnet.Server.Composition;
using Garnet.Server.Configuration;
using Garnet.Store;
using Microsoft.Extensions.Logging.Abstractions;

namespace Garnet.Microbenchmarks;

/// <summary>
/// Nanoseconds per command, GET and SET 1:1 on random keys with 32-byte values. Prefetching a pipeline's keys has an effect only if the
/// keys do not fit in the caches.
/// </summary>
[MemoryDiagnoser(displayGenColumns: false)]
public class SessionBenchmarks
{
    private const int CommandsPerInvoke = 4096;
    private readonly List<byte[]> _pipelines = [];
    private HybridLogStore _store = null!;
    private RespServer _server = null!;
    private PipeWriter _requests = null!;
    private PipeReader _replies = null!;
    private Task _session = Task.CompletedTask;
    private int _expectedReplies;

    /// <summary>Number of commands sent before replies are read.</summary>
    [Params(1, 32)]
    public int Pipeline { get; set; }

    /// <summary>Number of keys.</summary>
    [Params(100_000, 5_000_000)]
    public int Keys { get; set; }

    /// <summary>prefetch-batch-max-size; 1 disables prefetching.</summary>
    [Params(1, 16, 32)]
    public int PrefetchBatch { get; set; }

    /// <summary>Starts a session and loads the keys.</summary>
    [GlobalSetup]
    public void Start()
    {
        _store = new HybridLogStore(new StoreOptions(), TimeProvider.System);
        _server = new RespServer(
            new ServerConfiguration(new GarnetOptions { PrefetchBatchMaxSize = PrefetchBatch }),
            _store,
            TimeProvider.System,
            NullLoggerFactory.Instance
        );
        PipeOptions options = new(
            readerScheduler: PipeScheduler.Inline,
            writerScheduler: PipeScheduler.Inline,
            pauseWriterThreshold: 0,
            useSynchronizationContext: false
        );
        Pipe input = new(options),
            output = new(options);
        (_requests, _replies) = (input.Writer, output.Reader);
        _session = _server.Connections.ServeAsync(new DuplexPipe(input.Reader, output.Writer), new InMemoryConnection());
        StringBuilder text = new();
        for (int i = 0; i < Keys; i++)
        {
            AppendSet(text, i);
            if (text.Length > 60_000 || i == Keys - 1)
            {
                Exchange(Encoding.ASCII.GetBytes(text.ToString()));
                text.Clear();
            }
        }

        Random random = new(1);
        for (int i = 0; i < CommandsPerInvoke / Pipeline; i++)
            _pipelines.Add(BuildPipeline(random));
        long keys = _store.Databases.KeyCount(0);
        if (keys != Keys)
            throw new InvalidOperationException($"{keys} keys are loaded, not {Keys}.");
    }

    /// <summary>Ends the session.</summary>
    [GlobalCleanup]
    public void Stop()
    {
        _requests.Complete();
        _session.Wait();
        _server.Dispose();
        _store.Dispose();
    }

    /// <summary>Sends pipelines and reads their replies.</summary>
    [Benchmark(OperationsPerInvoke = CommandsPerInvoke)]
    public long GetAndSet()
    {
        long bytes = 0;
        foreach (byte[] pipeline in _pipelines)
            bytes += Exchange(pipeline);
        return bytes;
    }

    private byte[] BuildPipeline(Random random)
    {
        StringBuilder text = new();
        for (int i = 0; i < Pipeline; i++)
        {
            int key = random.Next(Keys);
            if (i % 2 == 0 && (Pipeline > 1 || (_pipelines.Count & 1) == 0))
                text.Append("*2\r\n$3\r\nGET\r\n$12\r\nkey:").Append(key.ToString("D8")).Append("\r\n");
            else
                AppendSet(text, key);
        }

        _expectedReplies = Pipeline;
        return Encoding.ASCII.GetBytes(text.ToString());
    }

    private static void AppendSet(StringBuilder text, int key) =>
        text.Append("*3\r\n$3\r\nSET\r\n$12\r\nkey:").Append(key.ToString("D8")).Append("\r\n$32\r\n").Append('v', 32).Append("\r\n");

    // With inline scheduling, the session has executed and replied when the flush returns.
    private long Exchange(byte[] pipeline)
    {
        _requests.Write(pipeline);
        _requests.FlushAsync().GetAwaiter().GetResult();
        if (!_replies.TryRead(out ReadResult read))
            throw new InvalidOperationException("The session has not replied.");
        long bytes = read.Buffer.Length;
        if (bytes < _expectedReplies * 5 || read.Buffer.FirstSpan[0] is not ((byte)'+' or (byte)'$'))
            throw new InvalidOperationException($"Unexpected reply: {Encoding.ASCII.GetString(read.Buffer)}");
        _replies.AdvanceTo(read.Buffer.End);
        return bytes;
    }

    private sealed class DuplexPipe(PipeReader input, PipeWriter output) : IDuplexPipe
    {
        public PipeReader Input => input;

        public PipeWriter Output => output;
    }
}
