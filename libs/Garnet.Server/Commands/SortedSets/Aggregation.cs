// How scores of one member in several sorted sets become one.
namespace Garnet.Server.Commands.SortedSets;

/// <summary>The AGGREGATE option.</summary>
internal enum Aggregation
{
    /// <summary>The sum; 0 where infinities cancel each other.</summary>
    Sum,

    /// <summary>The least.</summary>
    Min,

    /// <summary>The greatest.</summary>
    Max,
}
