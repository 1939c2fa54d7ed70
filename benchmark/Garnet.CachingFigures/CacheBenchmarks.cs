// What a hit, a lock and a permit cost, beside others and beside the commands that they are made of, under BenchmarkDotNet. One caller.
using System.Net;
using System.Threading.RateLimiting;
using BenchmarkDotNet.Attributes;
using Garnet.Caching;
using Garnet.Client;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;
using ZiggyCreatures.Caching.Fusion;

namespace Garnet.CachingFigures;

/// <summary>
/// A text of 100 characters under one key, with one tag. The server listens at <c>GARNET_FIGURES_SERVER</c>; what runs in the process has a
/// server of its own. What goes over a connection is awaited by an asynchronous method, as applications do: the thread that measures would
/// otherwise be woken by the one that reads, a hop to another thread earlier, where a command is called without any code around it.
/// </summary>
[InProcess]
[MemoryDiagnoser(displayGenColumns: false)]
public class CacheBenchmarks
{
    private static readonly string Text = new('x', 100);
    private static readonly string[] Tags = ["t"];
    private static readonly HybridCacheEntryOptions NoLocal = new() { Flags = HybridCacheEntryFlags.DisableLocalCache };
    private static readonly FusionCacheEntryOptions NoMemory = new(TimeSpan.FromMinutes(5))
    {
        SkipMemoryCacheRead = true,
        SkipMemoryCacheWrite = true,
    };

    private readonly string _address = Environment.GetEnvironmentVariable("GARNET_FIGURES_SERVER") ?? "127.0.0.1:6379";
    private GarnetServer _server = null!;
    private HybridCache _microsofts = null!;
    private IFusionCache _fusion = null!;
    private GarnetHybridCache _remote = null!;
    private GarnetHybridCache _here = null!;
    private RespMultiplexer _client = null!;
    private IGarnetLocks _locks = null!;
    private RateLimiter _window = null!;
    private RateLimiter _windowHere = null!;
    private RateLimiter _bucketHere = null!;
    private string _script = "";

    /// <summary>Connects, and stores the text in each cache.</summary>
    [GlobalSetup]
    public void Start() => StartAsync().GetAwaiter().GetResult();

    /// <summary>Stops the server of this process.</summary>
    [GlobalCleanup]
    public void Stop() => _server.DisposeAsync().AsTask().GetAwaiter().GetResult();

    [Benchmark]
    public ValueTask<string> LocalHitMicrosoft() => Hit(_microsofts, null);

    [Benchmark]
    public ValueTask<string?> LocalHitFusionCache() => _fusion.GetOrDefaultAsync<string>("hit");

    [Benchmark]
    public ValueTask<string> LocalHit() => Hit(_remote, null);

    [Benchmark]
    public ValueTask<string> ServerHitInProcess() => Hit(_here, NoLocal);

    /// <summary>What a hit in the server is made of.</summary>
    [Benchmark]
    public async Task<RespValue> Get() => await _client.CallAsync("GET", "plain");

    [Benchmark]
    public async Task<string> ServerHitMicrosoft() => await Hit(_microsofts, NoLocal);

    [Benchmark]
    public async Task<string?> ServerHitFusionCache() => await _fusion.GetOrDefaultAsync<string>("hit", options: NoMemory);

    [Benchmark]
    public async Task<string> ServerHit() => await Hit(_remote, NoLocal);

    /// <summary>A round trip.</summary>
    [Benchmark]
    public async Task<RespValue> Ping() => await _client.CallAsync("PING");

    /// <summary>Acquires and releases.</summary>
    [Benchmark]
    public async Task Lock() => await (await _locks.AcquireAsync("a")).DisposeAsync();

    /// <summary>What a permit over a connection is made of.</summary>
    [Benchmark]
    public async Task<RespValue> EvalSha() => await _client.CallAsync("EVALSHA", _script, "1", "n", "1");

    [Benchmark]
    public async Task Window() => (await _window.AcquireAsync()).Dispose();

    [Benchmark]
    public void WindowInProcess() => _windowHere.AttemptAcquire().Dispose();

    [Benchmark]
    public void BucketInProcess() => _bucketHere.AttemptAcquire().Dispose();

    private async Task StartAsync()
    {
        _server = new GarnetServerBuilder().Listen(new IPEndPoint(IPAddress.Loopback, 0)).Build();
        await _server.StartAsync();
        ServiceProvider here = new ServiceCollection()
            .AddSingleton(_server.InProcess)
            .AddGarnetHybridCache()
            .AddGarnetLimits()
            .BuildServiceProvider();
        ServiceProvider remote = new ServiceCollection()
            .AddGarnetLocks(options => options.Address = _address)
            .AddGarnetLimits(options => options.Address = _address)
            .BuildServiceProvider();
        (_microsofts, _fusion, _remote) = (Services.Microsofts(_address), Services.Fusion(_address), Services.Ours(_address));
        _here = here.GetRequiredService<GarnetHybridCache>();
        foreach (HybridCache cache in (HybridCache[])[_microsofts, _remote, _here])
            await cache.SetAsync("hit", Text, tags: Tags);
        await _fusion.SetAsync("hit", Text, tags: Tags);
        _client = new RespMultiplexer(new RespMultiplexerOptions { EndPoint = IPEndPoint.Parse(_address) });
        await _client.CallAsync("SET", "plain", Text);
        _script = (await _client.CallAsync("SCRIPT", "LOAD", "return redis.call('INCRBY', KEYS[1], ARGV[1])")).AsString()!;
        _locks = remote.GetRequiredService<IGarnetLocks>();
        IGarnetLimits limits = here.GetRequiredService<IGarnetLimits>();
        _window = remote.GetRequiredService<IGarnetLimits>().FixedWindow("a", int.MaxValue, TimeSpan.FromHours(1));
        _windowHere = limits.FixedWindow("a", int.MaxValue, TimeSpan.FromHours(1));
        _bucketHere = limits.TokenBucket("a", int.MaxValue, 1_000_000, TimeSpan.FromMilliseconds(1));
    }

    private static ValueTask<string> Hit(HybridCache cache, HybridCacheEntryOptions? options) =>
        cache.GetOrCreateAsync<string>("hit", static _ => throw new InvalidOperationException("No hit."), options);
}
