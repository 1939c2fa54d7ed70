// An interval of members by their bytes. Lives on the stack.
namespace Garnet.Store.Collections.SortedSets;

/// <summary>From a least to a greatest member; means something only where all scores are equal, as in Valkey.</summary>
public readonly ref struct LexRange
{
    /// <summary>The bytes of the least member.</summary>
    public ReadOnlySpan<byte> Min { get; init; }

    /// <summary>The bytes of the greatest member.</summary>
    public ReadOnlySpan<byte> Max { get; init; }

    /// <summary>How <see cref="Min"/> is meant.</summary>
    public LexBound MinKind { get; init; }

    /// <summary>How <see cref="Max"/> is meant.</summary>
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
