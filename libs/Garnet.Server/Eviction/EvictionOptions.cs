// Hands the settings of eviction to the store. Reactions run under the configuration's lock.
using Garnet.Server.Configuration;
using Garnet.Store;
using Garnet.Store.Eviction;

namespace Garnet.Server.Eviction;

/// <summary>Keeps a store's limit and <see cref="EvictionSettings"/> what the options say.</summary>
internal static class EvictionOptions
{
    private static readonly string[] Names =
    [
        "maxmemory-policy",
        "maxmemory-samples",
        "maxmemory-eviction-tenacity",
        "lfu-log-factor",
        "lfu-decay-time",
    ];

    /// <summary>Puts the settings into force, now and after each change.</summary>
    public static void Bind(ServerConfiguration configuration, HybridLogStore store)
    {
        store.Eviction = Of(configuration.Current);
        foreach (string name in Names)
            configuration.OnChange(name, changed => store.Eviction = Of(changed));
        configuration.OnChange("maxmemory", changed => store.MaxMemoryBytes = changed.MaxMemoryBytes);
    }

    private static EvictionSettings Of(GarnetOptions options) =>
        new()
        {
            Policy = options.MaxMemoryPolicy,
            Samples = options.MaxMemorySamples,
            Tenacity = options.MaxMemoryEvictionTenacity,
            FrequencyLogFactor = options.LfuLogFactor,
            FrequencyDecayMinutes = options.LfuDecayTimeMinutes,
        };
}
