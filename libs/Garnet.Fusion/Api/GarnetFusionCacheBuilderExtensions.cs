// Gives a FusionCache its backplane and locks. At start, one thread.
using Garnet.Caching;
using Garnet.Caching.Links;
using Garnet.Fusion;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using ZiggyCreatures.Caching.Fusion;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>FusionCache on a Garnet, Valkey or Redis server, in this process or elsewhere.</summary>
public static class GarnetFusionCacheBuilderExtensions
{
    /// <summary>
    /// Uses the server of <c>AddGarnet</c> in this process as backplane, or the one at <see cref="GarnetCacheOptions.Address"/>.
    /// </summary>
    public static IFusionCacheBuilder WithGarnetBackplane(this IFusionCacheBuilder builder, Action<GarnetCacheOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        GarnetCacheOptions options = Options(configure);
        return builder.WithBackplane(provider => new GarnetBackplane(
            CacheLinks.Connector(provider, options),
            provider.GetService<ILogger<GarnetBackplane>>() ?? NullLogger<GarnetBackplane>.Instance,
            provider.GetService<TimeProvider>() ?? TimeProvider.System
        ));
    }

    /// <summary>
    /// Uses the locks of <see cref="GarnetLocksServiceCollectionExtensions.AddGarnetLocks"/>, so that one instance at a time calls the
    /// factory of a key.
    /// </summary>
    public static IFusionCacheBuilder WithGarnetDistributedLocker(this IFusionCacheBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.WithDistributedLocker(static provider => new GarnetDistributedLocker(provider.GetRequiredService<IGarnetLocks>()));
    }

    // As soon as it is known, since there is no start of the cache's own at which it could be reported.
    private static GarnetCacheOptions Options(Action<GarnetCacheOptions>? configure)
    {
        GarnetCacheOptions options = new();
        configure?.Invoke(options);
        return options.Problems().FirstOrDefault() is { } problem ? throw new ArgumentException(problem, nameof(configure)) : options;
    }
}
