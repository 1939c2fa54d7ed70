// Names of the ways to choose what goes when memory is full. Immutable.
namespace Garnet.Store.Eviction;

/// <summary>Which keys make room when the memory limit is reached (Valkey's maxmemory-policy).</summary>
public enum EvictionPolicy
{
    /// <summary>None: writes that need memory are refused.</summary>
    NoEviction,

    /// <summary>Any key, the longest unused first.</summary>
    AllKeysLru,

    /// <summary>Keys with an expiry, the longest unused first.</summary>
    VolatileLru,

    /// <summary>Any key, the least often used first.</summary>
    AllKeysLfu,

    /// <summary>Keys with an expiry, the least often used first.</summary>
    VolatileLfu,

    /// <summary>Any key, at random.</summary>
    AllKeysRandom,

    /// <summary>Keys with an expiry, at random.</summary>
    VolatileRandom,

    /// <summary>Keys with an expiry, the soonest to expire first.</summary>
    VolatileTtl,

    /// <summary>
    /// Any key, the longest unused first, but each use of it before makes it stay longer, and being large less long. Not in Valkey.
    /// </summary>
    AllKeysLrfu,
}
