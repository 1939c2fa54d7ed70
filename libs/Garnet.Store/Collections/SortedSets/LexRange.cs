// A lexicographic interval of members. Lives on the stack.
namespace Garnet.Store.Collections.SortedSets;

/// <summary>From a minimum to a maximum member; meaningful only where all scores are equal, as in Valkey.</summary>
internal readonly ref struct LexRange
{
    /// <summary>The bytes of the lower bound.</summary>
    public ReadOnlySpan<byte> Min { get; init; }

    /// <summary>The bytes of the upper bound.</summary>
    public ReadOnlySpan<byte> Max { get; init; }

    /// <summary>How <see cref="Min"/> is interpreted.</summary>
    public LexBound MinKind { get; init; }

    /// <summary>How <see cref="Max"/> is interpreted.</summary>
    public LexBound MaxKind { get; init; }

    internal bool IsBelow(PackedElement member) =>
        MinKind switch
        {
            LexBound.NegativeInfinity => false,
            LexBound.PositiveInfinity => true,
            LexBound.Inclusive => member.CompareTo(Min) < 0,
            _ => member.CompareTo(Min) <= 0,
        };

    internal bool IsAbove(PackedElement member) =>
        MaxKind switch
        {
            LexBound.NegativeInfinity => true,
            LexBound.PositiveInfinity => false,
            LexBound.Inclusive => member.CompareTo(Max) > 0,
            _ => member.CompareTo(Max) >= 0,
        };
}
