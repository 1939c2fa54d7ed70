// The eviction policies. Immutable.
namespace Garnet;

/// <summary>Which keys are evicted when the memory limit is reached (Valkey's maxmemory-policy).</summary>
public enum EvictionPolicy
{
    /// <summary>None: writes that need memory are rejected.</summary>
    NoEviction,

    /// <summary>Any key, least recently used first.</summary>
    AllKeysLru,

    /// <summary>Keys with an expiry, least recently used first.</summary>
    VolatileLru,

    /// <summary>Any key, least frequently used first.</summary>
    AllKeysLfu,

    /// <summary>Keys with an expiry, least frequently used first.</summary>
    VolatileLfu,

    /// <summary>Any key, at random.</summary>
    AllKeysRandom,

    /// <summary>Keys with an expiry, at random.</summary>
    VolatileRandom,

    /// <summary>Keys with an expiry, shortest remaining time to live first.</summary>
    VolatileTtl,

    /// <summary>
    /// Any key, least recently used first, but previous uses keep a key longer and a large size shortens its stay. Not in Valkey.
    /// </summary>
    AllKeysLrfu,
}
