// Registers hybrid caches with an application's services. At start, one thread.
using Garnet.Caching;
using Garnet.Caching.Coherence;
using Garnet.Caching.Hybrid;
using Garnet.Caching.Hybrid.Serialization;
using Garnet.Caching.Links;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Hybrid caches on a Garnet, Valkey or Redis server, in this process or elsewhere.</summary>
public static class GarnetHybridCacheServiceCollectionExtensions
{
    /// <summary>
    /// Registers <see cref="GarnetHybridCache"/>, also as <see cref="HybridCache"/>. Its second level is the server of <c>AddGarnet</c> in
    /// this process, or the one at <see cref="GarnetCacheOptions.Address"/>. Invalid settings make the application's start fail.
    /// Serializers are registered as services: <see cref="IHybridCacheSerializer{T}"/> or <see cref="IHybridCacheSerializerFactory"/>.
    /// </summary>
    public static IServiceCollection AddGarnetHybridCache(
        this IServiceCollection services,
        Action<GarnetHybridCacheOptions>? configure = null
    )
    {
        ArgumentNullException.ThrowIfNull(services);
        AddOptions(services, null, configure);
        services.RemoveAll<HybridCache>();
        services.AddSingleton(static provider => Create(provider, null));
        return services.AddSingleton<HybridCache>(static provider => provider.GetRequiredService<GarnetHybridCache>());
    }

    /// <summary>As <see cref="AddGarnetHybridCache"/>, under a key: for several caches in one application.</summary>
    /// <param name="services">The services.</param>
    /// <param name="serviceKey">The key of the services, and the name of the options.</param>
    /// <param name="configure">
    /// Settings. Caches with one server need different values of <see cref="GarnetCacheOptions.InstanceName"/>.
    /// </param>
    public static IServiceCollection AddKeyedGarnetHybridCache(
        this IServiceCollection services,
        string serviceKey,
        Action<GarnetHybridCacheOptions>? configure = null
    )
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentException.ThrowIfNullOrEmpty(serviceKey);
        AddOptions(services, serviceKey, configure);
        services.AddKeyedSingleton(serviceKey, static (provider, key) => Create(provider, (string)key!));
        return services.AddKeyedSingleton<HybridCache>(
            serviceKey,
            static (provider, key) => provider.GetRequiredKeyedService<GarnetHybridCache>(key)
        );
    }

    private static void AddOptions(IServiceCollection services, string? name, Action<GarnetHybridCacheOptions>? configure)
    {
        OptionsBuilder<GarnetHybridCacheOptions> options = services.AddOptions<GarnetHybridCacheOptions>(name).ValidateOnStart();
        services.TryAddEnumerable(
            ServiceDescriptor.Singleton<IValidateOptions<GarnetHybridCacheOptions>, CacheOptionsValidation<GarnetHybridCacheOptions>>(
                static _ => new CacheOptionsValidation<GarnetHybridCacheOptions>(nameof(AddGarnetHybridCache))
            )
        );
        if (configure is not null)
            options.Configure(configure);
    }

    private static GarnetHybridCache Create(IServiceProvider services, string? name)
    {
        GarnetHybridCacheOptions options = services.GetRequiredService<IOptionsMonitor<GarnetHybridCacheOptions>>().Get(name);
        TimeProvider time = services.GetService<TimeProvider>() ?? TimeProvider.System;
        CoherentTags coherence = new(
            CacheLinks.Connector(services, options),
            options.InstanceName,
            options.LocalLease,
            new ReplicaWait(options.ReplicasToWaitFor, options.ReplicaTimeout),
            time
        );
        ILogger logger = services.GetService<ILogger<GarnetHybridCache>>() ?? (ILogger)NullLogger.Instance;
        return new GarnetHybridCache(new CacheParts(coherence, options, new EntrySerializers(services), logger, name, time));
    }
}
