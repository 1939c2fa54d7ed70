// How a bound of a lexicographic range is interpreted.
namespace Garnet.Store.Collections.SortedSets;

/// <summary>The kind of one bound of a <see cref="LexRange"/>.</summary>
internal enum LexBound : byte
{
    /// <summary>Below every member.</summary>
    NegativeInfinity,

    /// <summary>The given bytes, inclusive.</summary>
    Inclusive,

    /// <summary>The given bytes, exclusive.</summary>
    Exclusive,

    /// <summary>Above every member.</summary>
    PositiveInfinity,
}
