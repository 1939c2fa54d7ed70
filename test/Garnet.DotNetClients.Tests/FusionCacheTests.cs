// FusionCache with its Redis backplane and locks: caches of several processes that know of each other. Each test has its own server.
using Garnet.Testing;
using Microsoft.Extensions.Caching.StackExchangeRedis;
using Microsoft.Extensions.DependencyInjection;
using StackExchange.Redis;
using Xunit;
using ZiggyCreatures.Caching.Fusion;
using ZiggyCreatures.Caching.Fusion.Backplane.StackExchangeRedis;
using ZiggyCreatures.Caching.Fusion.Locking.Distributed.Redis;
using ZiggyCreatures.Caching.Fusion.Serialization.SystemTextJson;

namespace Garnet.DotNetClients.Tests;

public sealed class FusionCacheTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    [Fact]
    public async Task What_one_cache_changes_the_others_no_longer_serve()
    {
        using var server = TestServer.Start();
        await using ServiceProvider first = Provide(server);
        await using ServiceProvider second = Provide(server);
        IFusionCache writer = first.GetRequiredService<IFusionCache>();
        IFusionCache reader = second.GetRequiredService<IFusionCache>();
        await writer.SetAsync("k", "old");
        // The caches subscribe on their own time: until both have, a change is not heard.
        await WaitForAsync(() => Task.FromResult(Subscribers(server) == 2));
        Assert.Equal("old", await reader.GetOrDefaultAsync<string>("k"));
        await writer.SetAsync("k", "new");
        await WaitForAsync(async () => await reader.GetOrDefaultAsync<string>("k") == "new");
        await writer.RemoveAsync("k");
        await WaitForAsync(async () => await reader.GetOrDefaultAsync<string>("k") is null);
        await reader.SetAsync("tagged", "t", tags: ["numbers"]);
        Assert.Equal("t", await writer.GetOrDefaultAsync<string>("tagged"));
        await reader.RemoveByTagAsync("numbers");
        await WaitForAsync(async () => await writer.GetOrDefaultAsync<string>("tagged") is null);
    }

    [Fact]
    public async Task A_value_that_all_caches_lack_is_computed_once()
    {
        using var server = TestServer.Start();
        ServiceProvider[] providers = [.. Enumerable.Range(0, 4).Select(_ => Provide(server))];
        int computed = 0;
        for (int round = 0; round < 2; round++)
        {
            string key = $"slow {round}";
            ValueTask<int>[] calls =
            [
                .. providers.Select(provider => provider.GetRequiredService<IFusionCache>().GetOrSetAsync<int>(key, ComputeAsync)),
            ];
            foreach (ValueTask<int> call in calls)
                Assert.Equal(round + 1, await call);
        }

        Assert.Equal(2, computed);
        using RespExchange asking = server.Connect();
        Assert.Contains("cmdstat_evalsha", asking.ExecuteText("INFO", "commandstats"));
        foreach (ServiceProvider provider in providers)
            await provider.DisposeAsync();

        async Task<int> ComputeAsync(FusionCacheFactoryExecutionContext<int> context, CancellationToken cancellation)
        {
            int result = Interlocked.Increment(ref computed);
            await Task.Delay(20, cancellation);
            return result;
        }
    }

    private static int Subscribers(TestServer server)
    {
        using RespExchange asking = server.Connect();
        string[] channels = [.. asking.ExecuteText("PUBSUB", "CHANNELS").Split("\r\n").Where(static line => line.Contains("Backplane"))];
        return channels.Length == 0 ? 0 : int.Parse(asking.ExecuteText("PUBSUB", "NUMSUB", channels[0]).Split("\r\n")[3][1..]);
    }

    private static ServiceProvider Provide(TestServer server)
    {
        ConfigurationOptions options = RedisConnection.OptionsFor(server);
        var services = new ServiceCollection();
        services
            .AddFusionCache()
            .WithDefaultEntryOptions(
                new FusionCacheEntryOptions(TimeSpan.FromHours(1))
                {
                    AllowBackgroundDistributedCacheOperations = false,
                    AllowBackgroundBackplaneOperations = false,
                }
            )
            .WithSerializer(new FusionCacheSystemTextJsonSerializer())
            .WithDistributedCache(new RedisCache(new RedisCacheOptions { ConfigurationOptions = options }))
            .WithBackplane(new RedisBackplane(new RedisBackplaneOptions { ConfigurationOptions = options }))
            .WithRedisDistributedLocker(locker => locker.ConfigurationOptions = options);
        return services.BuildServiceProvider();
    }

    private static async Task WaitForAsync(Func<Task<bool>> condition)
    {
        long start = Environment.TickCount64;
        while (!await condition())
        {
            Assert.True(Environment.TickCount64 - start < Patience.TotalMilliseconds, "it never happened");
            await Task.Delay(2);
        }
    }
}
