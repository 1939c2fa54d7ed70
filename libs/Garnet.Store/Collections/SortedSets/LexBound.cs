// How an end of a range of members is meant.
namespace Garnet.Store.Collections.SortedSets;

/// <summary>The kind of one end of a <see cref="LexRange"/>.</summary>
public enum LexBound : byte
{
    /// <summary>Below every member.</summary>
    NegativeInfinity,

    /// <summary>The given bytes, included.</summary>
    Inclusive,

    /// <summary>The given bytes, left out.</summary>
    Exclusive,

    /// <summary>Above every member.</summary>
    PositiveInfinity,
}
