// What ASP.NET applications keep in such a server through StackExchange.Redis: distributed and output cache, session state, keys of data
// protection. Each test has a server of its own.
using System.Text;
using Microsoft.AspNetCore.DataProtection;
using Microsoft.AspNetCore.DataProtection.KeyManagement;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.OutputCaching;
using Microsoft.AspNetCore.Session;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;
using StackExchange.Redis;
using Xunit;

namespace Garnet.DotNetClients.Tests;

public sealed class AspNetCacheTests : IAsyncLifetime
{
    private RedisConnection _redis = null!;

    public async Task InitializeAsync() => _redis = await RedisConnection.OpenAsync();

    public async Task DisposeAsync() => await _redis.DisposeAsync();

    [Fact]
    public async Task The_distributed_cache()
    {
        await using ServiceProvider services = Services(services =>
            services.AddStackExchangeRedisCache(options =>
            {
                options.ConnectionMultiplexerFactory = () => Task.FromResult<IConnectionMultiplexer>(_redis.Multiplexer);
                options.InstanceName = "shop:";
            })
        );
        IDistributedCache cache = services.GetRequiredService<IDistributedCache>();
        await cache.SetStringAsync(
            "k",
            "v",
            new DistributedCacheEntryOptions
            {
                AbsoluteExpirationRelativeToNow = TimeSpan.FromMinutes(5),
                SlidingExpiration = TimeSpan.FromMinutes(1),
            }
        );
        Assert.Equal("v", await cache.GetStringAsync("k"));
        await cache.RefreshAsync("k");
        Assert.InRange((await _redis.Database.KeyTimeToLiveAsync("shop:k"))!.Value, TimeSpan.FromSeconds(30), TimeSpan.FromMinutes(1));
        await cache.RemoveAsync("k");
        Assert.Null(await cache.GetAsync("k"));
        byte[] large = new byte[200_000];
        await cache.SetAsync("large", large, new DistributedCacheEntryOptions());
        Assert.Equal(large, await cache.GetAsync("large"));
    }

    [Fact]
    public async Task Session_state()
    {
        await using ServiceProvider services = Services(services =>
            services.AddStackExchangeRedisCache(options =>
                options.ConnectionMultiplexerFactory = () => Task.FromResult<IConnectionMultiplexer>(_redis.Multiplexer)
            )
        );
        var store = new DistributedSessionStore(services.GetRequiredService<IDistributedCache>(), NullLoggerFactory.Instance);
        ISession session = store.Create("id", TimeSpan.FromMinutes(20), TimeSpan.FromSeconds(10), static () => true, isNewSessionKey: true);
        session.Set("cart", Encoding.UTF8.GetBytes("three"));
        await session.CommitAsync();
        ISession later = store.Create("id", TimeSpan.FromMinutes(20), TimeSpan.FromSeconds(10), static () => true, isNewSessionKey: false);
        await later.LoadAsync();
        Assert.True(later.TryGetValue("cart", out byte[]? cart));
        Assert.Equal("three", Encoding.UTF8.GetString(cart));
    }

    [Fact]
    public async Task The_output_cache()
    {
        await using ServiceProvider services = Services(services =>
            services.AddStackExchangeRedisOutputCache(options =>
                options.ConnectionMultiplexerFactory = () => Task.FromResult<IConnectionMultiplexer>(_redis.Multiplexer)
            )
        );
        IOutputCacheStore store = services.GetRequiredService<IOutputCacheStore>();
        await store.SetAsync("page", "body"u8.ToArray(), ["news"], TimeSpan.FromMinutes(1), CancellationToken.None);
        await store.SetAsync("other", "else"u8.ToArray(), ["sports"], TimeSpan.FromMinutes(1), CancellationToken.None);
        Assert.Equal("body"u8.ToArray(), await store.GetAsync("page", CancellationToken.None));
        await store.EvictByTagAsync("news", CancellationToken.None);
        Assert.Null(await store.GetAsync("page", CancellationToken.None));
        Assert.NotNull(await store.GetAsync("other", CancellationToken.None));
    }

    [Fact]
    public async Task Keys_of_data_protection()
    {
        string secret;
        await using (ServiceProvider one = Protection())
            secret = one.GetRequiredService<IDataProtectionProvider>().CreateProtector("cookies").Protect("hello");
        await using ServiceProvider other = Protection();
        Assert.Equal("hello", other.GetRequiredService<IDataProtectionProvider>().CreateProtector("cookies").Unprotect(secret));
        Assert.NotEmpty(other.GetRequiredService<IKeyManager>().GetAllKeys());

        ServiceProvider Protection() =>
            Services(services =>
                services.AddDataProtection().SetApplicationName("shop").PersistKeysToStackExchangeRedis(_redis.Multiplexer, "keys")
            );
    }

    private static ServiceProvider Services(Action<IServiceCollection> add)
    {
        var services = new ServiceCollection();
        services.AddLogging();
        add(services);
        return services.BuildServiceProvider();
    }
}
