// A target of MIGRATE that answers what a test tells it to, when the test does. The test's thread and the server's tasks.
using System.Collections.Concurrent;
using System.Globalization;
using System.IO.Pipelines;
using System.Text;
using Garnet.Server.Replication;
using Garnet.Testing;

namespace Garnet.Server.Tests.Migration;

/// <summary>Each connection of the server is a pair of pipes, whose other ends the test takes with <see cref="Accept"/>.</summary>
internal sealed class ScriptedTarget : IServerConnector
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    private readonly BlockingCollection<Peer> _accepted = [];
    private int _connections;

    /// <summary>Whether connections are refused.</summary>
    public bool IsDown { get; set; }

    /// <summary>Number of connections opened so far.</summary>
    public int Connections => Volatile.Read(ref _connections);

    public Task<Stream> ConnectAsync(string host, int port, GarnetOptions options, CancellationToken cancellationToken)
    {
        if (IsDown)
            throw new IOException("It is down.");
        Interlocked.Increment(ref _connections);
        Pipe requests = new();
        Pipe replies = new();
        Peer peer = new(requests.Reader.AsStream(), replies.Writer);
        _accepted.Add(peer);
        return Task.FromResult<Stream>(new Ends(peer, replies.Reader.AsStream(), requests.Writer.AsStream()));
    }

    /// <summary>The test's end of the next connection.</summary>
    public Peer Accept() =>
        _accepted.TryTake(out Peer? peer, Patience) ? peer : throw new TimeoutException("The server has not connected.");

    internal sealed class Peer(Stream requests, PipeWriter replies)
    {
        private int _reads;

        /// <summary>The server is about to wait for an answer.</summary>
        public void CountRead() => Interlocked.Increment(ref _reads);

        /// <summary>Waits until the server has waited for an answer, or a piece of one, this many times.</summary>
        public void AwaitReads(int count) => Xunit.Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref _reads) >= count, Patience));

        /// <summary>The next request, its arguments separated by blanks; null when the server has closed the connection.</summary>
        public string? Read()
        {
            string? header = ReadLine();
            if (header is null)
                return null;
            int count = int.Parse(header.AsSpan(1), NumberStyles.None, CultureInfo.InvariantCulture);
            string[] words = new string[count];
            for (int i = 0; i < count; i++)
            {
                int length = int.Parse(ReadLine().AsSpan(1), NumberStyles.None, CultureInfo.InvariantCulture);
                words[i] = ReadText(length + 2)[..length];
            }

            return string.Join(' ', words);
        }

        /// <summary>Sends text of one character per byte.</summary>
        public void Answer(string text) => replies.WriteAsync(Encoding.Latin1.GetBytes(text)).AsTask().GetAwaiter().GetResult();

        /// <summary>Answers the next request, which must be the one expected.</summary>
        public void Expect(string request, string answer = "+OK\r\n")
        {
            Xunit.Assert.Equal(request, Read());
            Answer(answer);
        }

        /// <summary>Closes the connection.</summary>
        public void Close()
        {
            replies.Complete();
            requests.Dispose();
        }

        private string? ReadLine()
        {
            StringBuilder line = new();
            while (true)
            {
                string next = ReadText(1);
                if (next.Length == 0)
                    return null;
                if (next == "\n")
                    return line.ToString().TrimEnd('\r');
                line.Append(next);
            }
        }

        private string ReadText(int length)
        {
            byte[] bytes = new byte[length];
            Task<int> reading = requests.ReadAtLeastAsync(bytes, length, throwOnEndOfStream: false).AsTask();
            Xunit.Assert.True(reading.Wait(Patience), "The server has sent nothing.");
            return Encoding.Latin1.GetString(bytes, 0, reading.Result);
        }
    }

    private sealed class Ends(Peer peer, Stream input, Stream output) : PeerStream
    {
        public override int Read(Span<byte> buffer) => input.Read(buffer);

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            peer.CountRead();
            return input.ReadAsync(buffer, cancellationToken);
        }

        public override void Write(ReadOnlySpan<byte> buffer) => output.Write(buffer);

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
            output.WriteAsync(buffer, cancellationToken);

        public override void Flush() => output.Flush();

        public override Task FlushAsync(CancellationToken cancellationToken) => output.FlushAsync(cancellationToken);

        protected override void Dispose(bool disposing)
        {
            input.Dispose();
            output.Dispose();
            base.Dispose(disposing);
        }
    }
}
