// Registers limits with an application's services. At start, one thread.
using Garnet.Caching;
using Garnet.Caching.Limits;
using Garnet.Caching.Links;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Options;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Limits counted in a Garnet, Valkey or Redis server, in this process or elsewhere.</summary>
public static class GarnetLimitsServiceCollectionExtensions
{
    /// <summary>
    /// Registers <see cref="IGarnetLimits"/>. Permits are counted in the server of <c>AddGarnet</c> in this process, or in the one at
    /// <see cref="GarnetCacheOptions.Address"/>. Invalid settings make the application's start fail.
    /// </summary>
    public static IServiceCollection AddGarnetLimits(this IServiceCollection services, Action<GarnetLimitOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        OptionsBuilder<GarnetLimitOptions> options = services.AddOptions<GarnetLimitOptions>().ValidateOnStart();
        services.TryAddEnumerable(
            ServiceDescriptor.Singleton<IValidateOptions<GarnetLimitOptions>, CacheOptionsValidation<GarnetLimitOptions>>(
                static _ => new CacheOptionsValidation<GarnetLimitOptions>(nameof(AddGarnetLimits))
            )
        );
        if (configure is not null)
            options.Configure(configure);
        return services.AddSingleton<IGarnetLimits>(static provider =>
        {
            GarnetLimitOptions settings = provider.GetRequiredService<IOptions<GarnetLimitOptions>>().Value;
            TimeProvider time = provider.GetService<TimeProvider>() ?? TimeProvider.System;
            return new GarnetLimits(CacheLinks.Connector(provider, settings), settings, time);
        });
    }
}
