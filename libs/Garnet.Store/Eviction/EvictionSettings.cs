// Eviction policy and limits. Immutable; the store's instance is replaced as a whole.
using System.Diagnostics;

namespace Garnet.Store.Eviction;

/// <summary>The settings of eviction, with Valkey's meanings and defaults.</summary>
internal sealed record EvictionSettings
{
    /// <summary>The settings of a store that was not configured.</summary>
    public static EvictionSettings Default { get; } = new();

    /// <summary>Which keys are evicted.</summary>
    public EvictionPolicy Policy { get; init; }

    /// <summary>Keys sampled for each eviction, 1 to 64.</summary>
    public int Samples { get; init; } = 5;

    /// <summary>
    /// How long one command may evict: 0 to 10 are steps of 50 microseconds, each further step adds 15 %, 100 means no limit.
    /// </summary>
    public int Tenacity { get; init; } = 10;

    /// <summary>How quickly the increments of a key's frequency become rarer (lfu-log-factor).</summary>
    public int FrequencyLogFactor { get; init; } = 10;

    /// <summary>Minutes after which the frequencies of all keys are decremented; 0 for never.</summary>
    public int FrequencyDecayMinutes { get; init; } = 1;

    /// <summary>True when access bytes are frequencies instead of times of last use.</summary>
    public bool CountsFrequency => Policy is EvictionPolicy.AllKeysLfu or EvictionPolicy.VolatileLfu;

    /// <summary>True when uses are counted in addition to the time of last use.</summary>
    internal bool CountsUses => Policy == EvictionPolicy.AllKeysLrfu;

    /// <summary>True when only keys with an expiry are evicted.</summary>
    internal bool IsVolatile =>
        Policy is EvictionPolicy.VolatileLru or EvictionPolicy.VolatileLfu or EvictionPolicy.VolatileRandom or EvictionPolicy.VolatileTtl;

    /// <summary>True when keys are evicted at random.</summary>
    internal bool IsRandom => Policy is EvictionPolicy.AllKeysRandom or EvictionPolicy.VolatileRandom;

    /// <summary>How long one command may evict, in Stopwatch ticks.</summary>
    internal long TimeLimitTicks =>
        Tenacity switch
        {
            <= 10 => 50 * Tenacity * (Stopwatch.Frequency / 1_000_000),
            < 100 => (long)(500 * Math.Pow(1.15, Tenacity - 10) * Stopwatch.Frequency / 1e6),
            _ => long.MaxValue,
        };
}
