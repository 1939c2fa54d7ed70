// Locks and limits beside the commands that they are made of. One caller.
using System.Net;
using System.Threading.RateLimiting;
using Garnet.Caching;
using Garnet.Client;
using Microsoft.Extensions.DependencyInjection;

namespace Garnet.CachingFigures;

/// <summary>Acquire and release without contention; requests to a limit that grants them.</summary>
internal static class LockFigures
{
    private const int Calls = 20_000;
    private const int Compared = 3_000;

    public static async Task RunAsync(string address)
    {
        await using RespMultiplexer client = new(new RespMultiplexerOptions { EndPoint = IPEndPoint.Parse(address) });
        var services = new ServiceCollection();
        services.AddGarnetLocks(options => options.Address = address).AddGarnetLimits(options => options.Address = address);
        await using ServiceProvider provider = services.BuildServiceProvider();
        IGarnetLocks locks = provider.GetRequiredService<IGarnetLocks>();
        IGarnetLimits limits = provider.GetRequiredService<IGarnetLimits>();
        using RateLimiter fixedWindow = limits.FixedWindow("a", int.MaxValue, TimeSpan.FromHours(1)),
            bucket = limits.TokenBucket("a", int.MaxValue, 1_000_000, TimeSpan.FromMilliseconds(1));
        string hash = (await client.CallAsync("SCRIPT", "LOAD", "return redis.call('INCRBY', KEYS[1], ARGV[1])")).AsString()!;
        await Timing.CompareAsync(
            Compared,
            ("PING", async () => await client.CallAsync("PING")),
            (
                "two PINGs",
                async () =>
                {
                    await client.CallAsync("PING");
                    await client.CallAsync("PING");
                }
            ),
            ("lock: acquire and release", async () => await (await locks.AcquireAsync("a")).DisposeAsync())
        );
        await Timing.CompareAsync(
            Compared,
            ("EVALSHA of an INCRBY", async () => await client.CallAsync("EVALSHA", hash, "1", "n", "1")),
            ("fixed window: AcquireAsync", async () => (await fixedWindow.AcquireAsync()).Dispose()),
            ("token bucket: AcquireAsync", async () => (await bucket.AcquireAsync()).Dispose())
        );
    }

    /// <summary>The same with a server in the process.</summary>
    public static async Task InProcessAsync()
    {
        await using GarnetServer server = new GarnetServerBuilder().Listen(new IPEndPoint(IPAddress.Loopback, 0)).Build();
        await server.StartAsync();
        var services = new ServiceCollection();
        services.AddSingleton(server.InProcess);
        services.AddGarnetLocks().AddGarnetLimits();
        await using ServiceProvider provider = services.BuildServiceProvider();
        IGarnetLimits limits = provider.GetRequiredService<IGarnetLimits>();
        IGarnetLocks locks = provider.GetRequiredService<IGarnetLocks>();
        using RateLimiter fixedWindow = limits.FixedWindow("a", int.MaxValue, TimeSpan.FromHours(1)),
            bucket = limits.TokenBucket("a", int.MaxValue, 1_000_000, TimeSpan.FromMilliseconds(1));
        await Timing.LoopAsync("in the process: fixed window", 10 * Calls, () => Take(fixedWindow));
        await Timing.LoopAsync("in the process: token bucket", 10 * Calls, () => Take(bucket));
        await Timing.LoopAsync("in the process: lock", Calls, async () => await (await locks.AcquireAsync("a")).DisposeAsync());
    }

    private static ValueTask Take(RateLimiter limiter)
    {
        limiter.AttemptAcquire().Dispose();
        return ValueTask.CompletedTask;
    }
}
