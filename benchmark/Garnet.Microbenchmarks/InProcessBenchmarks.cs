// GET and SET in-process, compared with IMemoryCache and with a client over the loopback device.
using System.Net;
using System.Text;
using BenchmarkDotNet.Attributes;
using Garnet.Client;
using Microsoft.Extensions.Caching.Memory;

namespace Garnet.Microbenchmarks;

/// <summary>Nanoseconds per operation on random keys with 100-byte values. IMemoryCache returns references and copies nothing.</summary>
[MemoryDiagnoser(displayGenColumns: false)]
public class InProcessBenchmarks
{
    private const int MaxKeys = 100_000;
    private readonly byte[][] _keys = [.. Enumerable.Range(0, MaxKeys).Select(i => Encoding.ASCII.GetBytes($"key:{i:D8}"))];
    private readonly string[] _texts = [.. Enumerable.Range(0, MaxKeys).Select(i => $"key:{i:D8}")];
    private readonly byte[] _value = new byte[100];
    private readonly byte[] _room = new byte[128];
    private readonly MemoryCache _memory = new(new MemoryCacheOptions());
    private GarnetServer _server = null!;
    private IGarnet _garnet = null!;
    private RespClient _client = null!;
    private uint _next;

    /// <summary>Number of keys: few fit in the processor's caches, with many nearly every access is a cache miss.</summary>
    [Params(1000, MaxKeys)]
    public int Keys { get; set; }

    /// <summary>Starts a server and loads the keys.</summary>
    [GlobalSetup]
    public void Start()
    {
        _server = new GarnetServerBuilder { Options = new GarnetOptions() }
            .Listen(new IPEndPoint(IPAddress.Loopback, 0))
            .Build();
        _server.StartAsync().GetAwaiter().GetResult();
        _garnet = _server.InProcess;
        _client = RespClient.ConnectAsync(_server.EndPoints[0]).GetAwaiter().GetResult();
        for (int i = 0; i < Keys; i++)
        {
            _garnet.Set(_keys[i], _value);
            _memory.Set(_texts[i], _value);
        }

        if (GetInProcess() != 100 || GetByReader() != 100 || GetByClient().GetAwaiter().GetResult() != 100)
            throw new InvalidOperationException("A value is not as long as it was.");
    }

    /// <summary>Stops the server.</summary>
    [GlobalCleanup]
    public void Stop()
    {
        _client.Dispose();
        _server.StopAsync().GetAwaiter().GetResult();
        _server.Dispose();
    }

    /// <summary>IGarnet.Get into a span.</summary>
    [Benchmark]
    public int GetInProcess() => _garnet.Get(_keys[Next()], _room);

    /// <summary>IGarnet.Read with a callback.</summary>
    [Benchmark]
    public int GetByReader()
    {
        int length = 0;
        _garnet.Read(_keys[Next()], new Target(ref length), static (bytes, target) => target.Length = bytes.Length);
        return length;
    }

    /// <summary>IGarnet.Set.</summary>
    [Benchmark]
    public bool SetInProcess() => _garnet.Set(_keys[Next()], _value);

    /// <summary>IMemoryCache.TryGetValue.</summary>
    [Benchmark]
    public byte[]? GetMemoryCache() => _memory.TryGetValue(_texts[Next()], out byte[]? found) ? found : null;

    /// <summary>IMemoryCache.Set.</summary>
    [Benchmark]
    public byte[] SetMemoryCache() => _memory.Set(_texts[Next()], _value);

    /// <summary>GET over the loopback device, one at a time.</summary>
    [Benchmark]
    public async Task<int> GetByClient() => (await _client.CallAsync("GET", _texts[Next()])).Bytes.Length;

    private int Next() => (int)((_next = (_next * 1664525) + 1013904223) % Keys);

    private ref struct Target(ref int length)
    {
        private ref int _length = ref length;

        public int Length
        {
            set => _length = value;
        }
    }
}
