// The result of an attempt to free memory.
namespace Garnet.Store.Eviction;

/// <summary>The result of evicting keys for a write.</summary>
internal enum EvictionOutcome
{
    /// <summary>There is enough memory.</summary>
    Done,

    /// <summary>Not enough memory yet, but keys remain to be evicted: the time was used up, or another thread is doing the work.</summary>
    Running,

    /// <summary>No key may be evicted.</summary>
    Exhausted,
}
