// How the scores of a member in several sorted sets are combined.
namespace Garnet.Commands.SortedSets;

/// <summary>The AGGREGATE option.</summary>
internal enum Aggregation
{
    /// <summary>The sum; 0 for the sum of opposite infinities.</summary>
    Sum,

    /// <summary>The minimum.</summary>
    Min,

    /// <summary>The maximum.</summary>
    Max,
}
