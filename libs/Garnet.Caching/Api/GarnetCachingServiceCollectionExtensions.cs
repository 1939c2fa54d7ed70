// Registers caches with an application's services. At start, one thread.
using System.Diagnostics.CodeAnalysis;
using Garnet.Caching;
using Garnet.Caching.Backends;
using Garnet.Caching.Coherence;
using Garnet.Caching.Links;
using Microsoft.AspNetCore.OutputCaching;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Options;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Caches on a Garnet server, in this process or elsewhere.</summary>
public static class GarnetCachingServiceCollectionExtensions
{
    /// <summary>
    /// Makes <see cref="IDistributedCache"/> (and with it sessions and HybridCache) keep its entries in a Garnet server: that of
    /// <c>AddGarnet</c> in this process, or the one at <see cref="GarnetCacheOptions.EndPoint"/>. Invalid settings make the application's
    /// start fail.
    /// </summary>
    public static IServiceCollection AddGarnetDistributedCache(
        this IServiceCollection services,
        Action<GarnetDistributedCacheOptions>? configure = null
    )
    {
        AddOptions(services, configure, nameof(AddGarnetDistributedCache));
        services.RemoveAll<IDistributedCache>();
        return services.AddSingleton<IDistributedCache>(static provider =>
        {
            GarnetDistributedCacheOptions options = provider.GetRequiredService<IOptions<GarnetDistributedCacheOptions>>().Value;
            return new GarnetDistributedCache(CacheBackends.Create(provider, options), options.InstanceName, TimeOf(provider));
        });
    }

    /// <summary>
    /// Adds output caching (as <c>AddOutputCache</c>) whose responses are stored in a Garnet server, which is chosen as for
    /// <see cref="AddGarnetDistributedCache"/>.
    /// </summary>
    public static IServiceCollection AddGarnetOutputCache(
        this IServiceCollection services,
        Action<GarnetOutputCacheOptions>? configure = null
    )
    {
        AddOptions(services, configure, nameof(AddGarnetOutputCache));
        services.AddOutputCache();
        services.RemoveAll<IOutputCacheStore>();
        return services.AddSingleton<IOutputCacheStore>(static provider =>
        {
            GarnetOutputCacheOptions options = provider.GetRequiredService<IOptions<GarnetOutputCacheOptions>>().Value;
            CoherentTags coherence = new(
                CacheLinks.Connector(provider, options),
                options.InstanceName + "output-",
                options.LocalLease,
                new ReplicaWait(0, TimeSpan.Zero),
                TimeOf(provider)
            );
            return new GarnetOutputCacheStore(coherence, options.InstanceName);
        });
    }

    private static void AddOptions<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] TOptions>(
        IServiceCollection services,
        Action<TOptions>? configure,
        string registration
    )
        where TOptions : GarnetCacheOptions
    {
        OptionsBuilder<TOptions> options = services.AddOptions<TOptions>().ValidateOnStart();
        services.AddSingleton<IValidateOptions<TOptions>>(new CacheOptionsValidation<TOptions>(registration));
        if (configure is not null)
            options.Configure(configure);
    }

    private static TimeProvider TimeOf(IServiceProvider provider) => provider.GetService<TimeProvider>() ?? TimeProvider.System;
}
