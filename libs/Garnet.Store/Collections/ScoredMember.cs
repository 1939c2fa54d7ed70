// One member of a sorted set as an enumeration shows it. Lives on the stack.
namespace Garnet.Store;

/// <summary>A member with its score; void after the next change.</summary>
public readonly ref struct ScoredMember
{
    private readonly PackedElement _member;

    internal ScoredMember(PackedElement member, double score)
    {
        _member = member;
        Score = score;
    }

    /// <summary>The member.</summary>
    public ReadOnlySpan<byte> Member => _member.Span;

    /// <summary>Its score; never NaN.</summary>
    public double Score { get; }
}
