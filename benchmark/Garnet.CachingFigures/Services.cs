// Makes the services that are compared. Stateless.
using Garnet.Caching;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.Caching.StackExchangeRedis;
using Microsoft.Extensions.DependencyInjection;
using ZiggyCreatures.Caching.Fusion;
using ZiggyCreatures.Caching.Fusion.Backplane.StackExchangeRedis;
using ZiggyCreatures.Caching.Fusion.Serialization.SystemTextJson;

namespace Garnet.CachingFigures;

/// <summary>Each cache in services of its own.</summary>
internal static class Services
{
    /// <summary>Ours, over a connection.</summary>
    public static GarnetHybridCache Ours(string address)
    {
        var services = new ServiceCollection();
        services.AddGarnetHybridCache(options => (options.Address, options.InstanceName) = (address, "figures:"));
        return services.BuildServiceProvider().GetRequiredService<GarnetHybridCache>();
    }

    /// <summary>Microsoft's, over StackExchange.Redis.</summary>
    public static HybridCache Microsofts(string address)
    {
        var services = new ServiceCollection();
        services.AddStackExchangeRedisCache(options => options.Configuration = address);
        services.AddHybridCache();
        return services.BuildServiceProvider().GetRequiredService<HybridCache>();
    }

    /// <summary>FusionCache with its backplane, over StackExchange.Redis.</summary>
    public static IFusionCache Fusion(string address)
    {
        var services = new ServiceCollection();
        services
            .AddFusionCache()
            .WithSerializer(new FusionCacheSystemTextJsonSerializer())
            .WithDistributedCache(new RedisCache(new RedisCacheOptions { Configuration = address }))
            .WithBackplane(new RedisBackplane(new RedisBackplaneOptions { Configuration = address }));
        return services.BuildServiceProvider().GetRequiredService<IFusionCache>();
    }
}
