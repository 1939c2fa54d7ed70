// Passes the settings of eviction to the store. Change handlers run under the configuration's lock.
using Garnet.Server.Configuration;
using Garnet.Store;
using Garnet.Store.Eviction;

namespace Garnet.Server.Eviction;

/// <summary>Keeps a store's limit and <see cref="EvictionSettings"/> in line with the options.</summary>
internal static class EvictionOptions
{
    private static readonly string[] Names =
    [
        "maxmemory-policy",
        "maxmemory-samples",
        "maxmemory-eviction-tenacity",
        "lfu-log-factor",
        "lfu-decay-time",
        "import-mode",
    ];

    /// <summary>Applies the settings, now and after each change.</summary>
    /// <param name="configuration">The options.</param>
    /// <param name="store">The store.</param>
    /// <param name="ignoresLimit">Whether the limit does not apply now, because a primary decides what is evicted.</param>
    public static void Bind(ServerConfiguration configuration, HybridLogStore store, Func<bool> ignoresLimit)
    {
        store.Eviction = Of(configuration.Current);
        foreach (string name in Names)
            configuration.OnChange(name, changed => store.Eviction = Of(changed));
        configuration.OnChange("maxmemory", changed => store.Budget.MaxBytes = ignoresLimit() ? 0 : changed.MaxMemoryBytes);
    }

    private static EvictionSettings Of(GarnetOptions options) =>
        new()
        {
            // What is imported is complete, or the import fails.
            Policy = options.ImportMode ? EvictionPolicy.NoEviction : options.MaxMemoryPolicy,
            Samples = options.MaxMemorySamples,
            Tenacity = options.MaxMemoryEvictionTenacity,
            FrequencyLogFactor = options.LfuLogFactor,
            FrequencyDecayMinutes = options.LfuDecayTimeMinutes,
        };
}
