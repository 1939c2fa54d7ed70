// Registers locks with an application's services. At start, one thread.
using Garnet.Caching;
using Garnet.Caching.Links;
using Garnet.Caching.Locks;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Options;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Locks in a Garnet, Valkey or Redis server, in this process or elsewhere.</summary>
public static class GarnetLocksServiceCollectionExtensions
{
    /// <summary>
    /// Registers <see cref="IGarnetLocks"/>. Locks are kept in the server of <c>AddGarnet</c> in this process, or in the one at
    /// <see cref="GarnetCacheOptions.Address"/>. Invalid settings make the application's start fail.
    /// </summary>
    public static IServiceCollection AddGarnetLocks(this IServiceCollection services, Action<GarnetLockOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        AddOptions(services, null, configure);
        return services.AddSingleton<IGarnetLocks>(static provider => Create(provider, null));
    }

    /// <summary>As <see cref="AddGarnetLocks"/>, under a key, which is also the name of the options.</summary>
    public static IServiceCollection AddKeyedGarnetLocks(
        this IServiceCollection services,
        string serviceKey,
        Action<GarnetLockOptions>? configure = null
    )
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentException.ThrowIfNullOrEmpty(serviceKey);
        AddOptions(services, serviceKey, configure);
        return services.AddKeyedSingleton<IGarnetLocks>(serviceKey, static (provider, key) => Create(provider, (string)key!));
    }

    private static void AddOptions(IServiceCollection services, string? name, Action<GarnetLockOptions>? configure)
    {
        OptionsBuilder<GarnetLockOptions> options = services.AddOptions<GarnetLockOptions>(name).ValidateOnStart();
        services.TryAddEnumerable(
            ServiceDescriptor.Singleton<IValidateOptions<GarnetLockOptions>, CacheOptionsValidation<GarnetLockOptions>>(
                static _ => new CacheOptionsValidation<GarnetLockOptions>(nameof(AddGarnetLocks))
            )
        );
        if (configure is not null)
            options.Configure(configure);
    }

    private static GarnetLocks Create(IServiceProvider services, string? name)
    {
        GarnetLockOptions options = services.GetRequiredService<IOptionsMonitor<GarnetLockOptions>>().Get(name);
        TimeProvider time = services.GetService<TimeProvider>() ?? TimeProvider.System;
        return new GarnetLocks(CacheLinks.Connector(services, options), options.InstanceName, options.Lease, time);
    }
}
