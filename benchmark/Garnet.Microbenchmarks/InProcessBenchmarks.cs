// GET and SET in the process, beside a dictionary of objects and beside a client over the loopback device.
using System.Net;
using System.Text;
using BenchmarkDotNet.Attributes;
using Garnet.Client;
using Garnet.Hosting;
using Garnet.Hosting.InProcess;
using Garnet.Server.Configuration;
using Microsoft.Extensions.Caching.Memory;

namespace Garnet.Microbenchmarks;

/// <summary>Nanoseconds per operation on random keys out of some or of many, with 100-byte values. IMemoryCache hands out references and copies nothing.</summary>
[MemoryDiagnoser(displayGenColumns: false)]
public class InProcessBenchmarks
{
    private const int MostKeys = 100_000;
    private readonly byte[][] keys = [.. Enumerable.Range(0, MostKeys).Select(i => Encoding.ASCII.GetBytes($"key:{i:D8}"))];
    private readonly string[] texts = [.. Enumerable.Range(0, MostKeys).Select(i => $"key:{i:D8}")];
    private readonly byte[] value = new byte[100];
    private readonly byte[] room = new byte[128];
    private readonly MemoryCache memory = new(new MemoryCacheOptions());
    private GarnetServer server = null!;
    private IGarnet garnet = null!;
    private RespClient client = null!;
    private uint next;

    /// <summary>The first lie in the processor's caches, of the others nearly each is a miss.</summary>
    [Params(1000, MostKeys)]
    public int Keys { get; set; }

    /// <summary>Starts a server and loads the keys.</summary>
    [GlobalSetup]
    public void Start()
    {
        server = new GarnetServerBuilder { Options = new GarnetOptions() }.Listen(new IPEndPoint(IPAddress.Loopback, 0)).Build();
        server.StartAsync().GetAwaiter().GetResult();
        garnet = server.InProcess;
        client = RespClient.ConnectAsync(server.EndPoints[0]).GetAwaiter().GetResult();
        for (int i = 0; i < Keys; i++)
        {
            garnet.Set(keys[i], value);
            memory.Set(texts[i], value);
        }

        if (GetInProcess() != 100 || GetByReader() != 100 || GetByClient().GetAwaiter().GetResult() != 100)
            throw new InvalidOperationException("A value is not as long as it was.");
    }

    /// <summary>Stops the server.</summary>
    [GlobalCleanup]
    public void Stop()
    {
        client.Dispose();
        server.StopAsync().GetAwaiter().GetResult();
        server.Dispose();
    }

    /// <summary>IGarnet.Get into a span.</summary>
    [Benchmark]
    public int GetInProcess() => garnet.Get(keys[Next()], room);

    /// <summary>IGarnet.Read with a callback.</summary>
    [Benchmark]
    public int GetByReader()
    {
        int length = 0;
        garnet.Read(keys[Next()], new Target(ref length), static (bytes, target) => target.Length = bytes.Length);
        return length;
    }

    /// <summary>IGarnet.Set.</summary>
    [Benchmark]
    public bool SetInProcess() => garnet.Set(keys[Next()], value);

    /// <summary>IMemoryCache.TryGetValue.</summary>
    [Benchmark]
    public byte[]? GetMemoryCache() => memory.TryGetValue(texts[Next()], out byte[]? found) ? found : null;

    /// <summary>IMemoryCache.Set.</summary>
    [Benchmark]
    public byte[] SetMemoryCache() => memory.Set(texts[Next()], value);

    /// <summary>GET over the loopback device, one at a time.</summary>
    [Benchmark]
    public async Task<int> GetByClient() => (await client.CallAsync("GET", texts[Next()])).Bytes.Length;

    private int Next() => (int)((next = (next * 1664525) + 1013904223) % Keys);

    private ref struct Target(ref int length)
    {
        private ref int length = ref length;

        public int Length
        {
            set => length = value;
        }
    }
}
