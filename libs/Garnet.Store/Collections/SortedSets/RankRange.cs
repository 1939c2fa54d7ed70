// Consecutive ranks of a sorted set. Immutable.
namespace Garnet.Store.Collections.SortedSets;

/// <summary>An interval of ascending ranks.</summary>
/// <param name="First">The lowest rank; the insertion point when the range is empty.</param>
/// <param name="Count">Number of members.</param>
internal readonly record struct RankRange(long First, long Count);
