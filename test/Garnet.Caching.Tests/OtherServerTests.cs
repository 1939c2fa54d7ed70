// Hybrid cache, locks and limits on other servers: they use commands and scripts that any has. Real time, without timed assertions.
using System.Threading.RateLimiting;
using Garnet.Testing;
using Microsoft.Extensions.DependencyInjection;
using Xunit;

namespace Garnet.Caching.Tests;

public sealed class OtherServerTests
{
    [PeerFact("redis-server")]
    public Task Redis_serves_all_parts() => ServeAsync("redis-server");

    [PeerFact("valkey-server", Optional = true)]
    public Task Valkey_serves_all_parts() => ServeAsync("valkey-server");

    private static async Task ServeAsync(string peer)
    {
        using var server = PeerServer.Start(peer);
        await using ServiceProvider first = Provide(server),
            second = Provide(server);
        await CacheAsync(first.GetRequiredService<GarnetHybridCache>(), second.GetRequiredService<GarnetHybridCache>());
        await LockAsync(first.GetRequiredService<IGarnetLocks>(), second.GetRequiredService<IGarnetLocks>());
        await LimitAsync(first.GetRequiredService<IGarnetLimits>(), second.GetRequiredService<IGarnetLimits>());
    }

    private static async Task CacheAsync(GarnetHybridCache one, GarnetHybridCache other)
    {
        int loads = 0;
        GarnetCacheEntryOptions sliding = new() { SlidingExpiration = TimeSpan.FromMinutes(1), Expiration = TimeSpan.FromMinutes(2) };
        ValueTask<string> ReadAsync(GarnetHybridCache cache) =>
            cache.GetOrCreateAsync("k", (_, _) => ValueTask.FromResult($"v{Interlocked.Increment(ref loads)}"), sliding, ["t"]);
        Assert.Equal("v1", await ReadAsync(one));
        Assert.Equal("v1", await ReadAsync(other));
        Assert.Equal("v1", await ReadAsync(other));
        await one.RemoveByTagAsync("t");
        Assert.Equal("v2", await ReadAsync(other));
        Assert.Equal("v2", await ReadAsync(one));
        await other.RemoveAsync("k");
        Assert.Equal("v3", await ReadAsync(one));
        await one.SetAsync("k", "set", tags: ["t"]);
        Assert.Equal("set", await ReadAsync(other));
        await other.RemoveByTagAsync("*");
        Assert.Equal("v4", await ReadAsync(one));
        // Two callers of two instances: whoever is first, the loader runs once.
        TaskCompletionSource gate = new();
        Task<int>[] callers =
        [
            .. ((GarnetHybridCache[])[one, other]).Select(cache =>
                cache
                    .GetOrCreateAsync(
                        "shared",
                        async _ =>
                        {
                            await gate.Task;
                            return Interlocked.Increment(ref loads);
                        }
                    )
                    .AsTask()
            ),
        ];
        gate.SetResult();
        Assert.All(await Task.WhenAll(callers), static value => Assert.Equal(5, value));
    }

    private static async Task LockAsync(IGarnetLocks one, IGarnetLocks other)
    {
        IGarnetLock held = await one.AcquireAsync("a");
        Assert.Null(await other.TryAcquireAsync("a", TimeSpan.Zero));
        Task<IGarnetLock> next = other.AcquireAsync("a").AsTask();
        await held.DisposeAsync();
        await using IGarnetLock taken = await next;
        Assert.True(taken.FencingToken > held.FencingToken);
        Assert.True(taken.IsHeld);
    }

    private static async Task LimitAsync(IGarnetLimits one, IGarnetLimits other)
    {
        var hour = TimeSpan.FromHours(1);
        Func<IGarnetLimits, RateLimiter>[] kinds =
        [
            limits => limits.FixedWindow("a", 3, hour),
            limits => limits.SlidingWindow("a", 3, hour, 6),
            limits => limits.TokenBucket("a", 3, 1, hour),
            static limits => limits.Concurrency("a", 3),
        ];
        foreach (Func<IGarnetLimits, RateLimiter> kind in kinds)
        {
            using RateLimiter first = kind(one),
                second = kind(other);
            using RateLimitLease granted = await first.AcquireAsync(2);
            Assert.True(granted.IsAcquired);
            Assert.False((await second.AcquireAsync(2)).IsAcquired);
            Assert.True((await second.AcquireAsync(1)).IsAcquired);
            Assert.False((await first.AcquireAsync(0)).IsAcquired);
        }
    }

    private static ServiceProvider Provide(PeerServer server)
    {
        ServiceCollection services = [];
        services
            .AddGarnetHybridCache(options => options.EndPoint = server.EndPoint)
            .AddGarnetLocks(options => options.EndPoint = server.EndPoint)
            .AddGarnetLimits(options => options.EndPoint = server.EndPoint);
        return services.BuildServiceProvider();
    }
}
