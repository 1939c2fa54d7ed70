// By what a range is given.
namespace Garnet.Server.Commands.SortedSets;

/// <summary>What the ends of a range are.</summary>
internal enum RangeKind
{
    /// <summary>Ranks.</summary>
    Rank,

    /// <summary>Scores.</summary>
    Score,

    /// <summary>Members of one score.</summary>
    Member,
}
