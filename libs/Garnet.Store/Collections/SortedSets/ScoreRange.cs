// An interval of scores. Immutable.
namespace Garnet.Store.Collections.SortedSets;

/// <summary>From a least to a greatest score, each included or not; infinities are scores like others.</summary>
/// <param name="Min">The least score.</param>
/// <param name="Max">The greatest score.</param>
/// <param name="IsMinExclusive">Whether <paramref name="Min"/> itself is left out.</param>
/// <param name="IsMaxExclusive">Whether <paramref name="Max"/> itself is left out.</param>
public readonly record struct ScoreRange(double Min, double Max, bool IsMinExclusive, bool IsMaxExclusive)
{
    internal bool IsBelow(double score) => IsMinExclusive ? score <= Min : score < Min;

    internal bool IsAbove(double score) => IsMaxExclusive ? score >= Max : score > Max;
}
