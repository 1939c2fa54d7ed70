// What a range is over.
namespace Garnet.Commands.SortedSets;

/// <summary>What the ends of a range are.</summary>
internal enum RangeKind
{
    /// <summary>Ranks.</summary>
    Rank,

    /// <summary>Scores.</summary>
    Score,

    /// <summary>Members with the same score, in lexicographic order.</summary>
    Member,
}
