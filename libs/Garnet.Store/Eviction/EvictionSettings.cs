// How keys are chosen and how long a command may look for some. Immutable; a store takes another one whole.
using System.Diagnostics;

namespace Garnet.Store.Eviction;

/// <summary>The settings of eviction, with Valkey's meanings and defaults.</summary>
public sealed record EvictionSettings
{
    /// <summary>The settings of a store that was told nothing.</summary>
    public static EvictionSettings Default { get; } = new();

    /// <summary>Which keys go.</summary>
    public EvictionPolicy Policy { get; init; }

    /// <summary>Keys looked at for each one that goes, 1 to 64.</summary>
    public int Samples { get; init; } = 5;

    /// <summary>
    /// How long one command may evict: 0 to 10 are steps of 50 microseconds, each further one 15 % more, 100 has no bound.
    /// </summary>
    public int Tenacity { get; init; } = 10;

    /// <summary>How much rarer each further step of a key's frequency is than the one before.</summary>
    public int FrequencyLogFactor { get; init; } = 10;

    /// <summary>Minutes after which the frequencies of all keys sink by one; 0 for never.</summary>
    public int FrequencyDecayMinutes { get; init; } = 1;

    /// <summary>True when keys' frequencies are kept, and not the times of their last use.</summary>
    public bool CountsFrequency => Policy is EvictionPolicy.AllKeysLfu or EvictionPolicy.VolatileLfu;

    /// <summary>True when keys' uses are counted beside the times of their last one.</summary>
    internal bool CountsUses => Policy == EvictionPolicy.AllKeysLrfu;

    /// <summary>True when only keys with an expiry go.</summary>
    internal bool IsVolatile =>
        Policy is EvictionPolicy.VolatileLru or EvictionPolicy.VolatileLfu or EvictionPolicy.VolatileRandom or EvictionPolicy.VolatileTtl;

    /// <summary>True when keys go at random.</summary>
    internal bool IsRandom => Policy is EvictionPolicy.AllKeysRandom or EvictionPolicy.VolatileRandom;

    /// <summary>How long one command may evict, in ticks of the stopwatch.</summary>
    internal long TimeLimitTicks =>
        Tenacity switch
        {
            <= 10 => 50 * Tenacity * (Stopwatch.Frequency / 1_000_000),
            < 100 => (long)(500 * Math.Pow(1.15, Tenacity - 10) * Stopwatch.Frequency / 1e6),
            _ => long.MaxValue,
        };
}
