// An interval of scores. Immutable.
namespace Garnet.Store.Collections.SortedSets;

/// <summary>From a minimum to a maximum score, each inclusive or exclusive; infinities are ordinary scores.</summary>
/// <param name="Min">The lowest score.</param>
/// <param name="Max">The highest score.</param>
/// <param name="IsMinExclusive">Whether <paramref name="Min"/> itself is excluded.</param>
/// <param name="IsMaxExclusive">Whether <paramref name="Max"/> itself is excluded.</param>
internal readonly record struct ScoreRange(double Min, double Max, bool IsMinExclusive, bool IsMaxExclusive)
{
    internal bool IsBelow(double score) => IsMinExclusive ? score <= Min : score < Min;

    internal bool IsAbove(double score) => IsMaxExclusive ? score >= Max : score > Max;
}
