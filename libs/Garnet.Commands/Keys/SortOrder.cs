// The order in which SORT returns elements. Immutable; used by the command's thread.
using Garnet.Engine.Requests;

namespace Garnet.Commands.Keys;

/// <summary>Numeric or lexicographic, ascending or descending; ties keep the order in which elements were collected.</summary>
internal sealed class SortOrder(TextArena texts, bool isText, bool isDescending) : IComparer<SortElement>
{
    /// <inheritdoc/>
    public int Compare(SortElement a, SortElement b)
    {
        int order = CompareAlone(a, b);
        return order != 0 ? order : a.Element.CompareTo(b.Element);
    }

    /// <summary>As <see cref="Compare"/>, without breaking ties by position.</summary>
    public int CompareAlone(SortElement a, SortElement b)
    {
        int order =
            isText ? CompareTexts(a.Text, b.Text)
            : a.Score != b.Score ? a.Score.CompareTo(b.Score)
            : texts[a.Element].SequenceCompareTo(texts[b.Element]);
        return isDescending ? -order : order;
    }

    private int CompareTexts(TextSlice a, TextSlice b)
    {
        if (a.IsNone || b.IsNone)
            return (a.IsNone ? 0 : 1) - (b.IsNone ? 0 : 1);
        ReadOnlySpan<byte> first = texts[a];
        ReadOnlySpan<byte> second = texts[b];
        return first == second ? 0 : first.SequenceCompareTo(second);
    }
}
