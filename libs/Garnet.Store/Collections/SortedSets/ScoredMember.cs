// One member of a sorted set as returned by an enumeration. Lives on the stack.
namespace Garnet.Store.Collections.SortedSets;

/// <summary>A member with its score; invalid after the next change.</summary>
internal readonly ref struct ScoredMember
{
    internal ScoredMember(PackedElement member, double score)
    {
        Element = member;
        Score = score;
    }

    /// <summary>The member.</summary>
    public ReadOnlySpan<byte> Member => Element.Span;

    /// <summary>Its score; never NaN.</summary>
    public double Score { get; }

    /// <summary>The member as it is stored.</summary>
    internal PackedElement Element { get; }
}
