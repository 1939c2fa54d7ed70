// How an attempt to make room ended.
namespace Garnet.Store.Eviction;

/// <summary>What came of evicting for a write.</summary>
internal enum EvictionOutcome
{
    /// <summary>There is room.</summary>
    Done,

    /// <summary>There is no room yet, but there are keys that may go: the time was over, or the work is another's.</summary>
    Running,

    /// <summary>No key may go.</summary>
    Exhausted,
}
