// The order in which SORT puts elements. Immutable; one command's thread.
namespace Garnet.Server.Commands.Keys;

/// <summary>By number or by text, up or down; what is equal keeps the order in which it was gathered.</summary>
internal sealed class SortOrder(TextArena texts, bool isText, bool isDescending, bool isStored) : IComparer<SortElement>
{
    /// <inheritdoc/>
    public int Compare(SortElement a, SortElement b)
    {
        int order = CompareAlone(a, b);
        return order != 0 ? order : a.Element.CompareTo(b.Element);
    }

    /// <summary>As <see cref="Compare"/>, without regard to where the elements were.</summary>
    public int CompareAlone(SortElement a, SortElement b)
    {
        int order = isText ? CompareTexts(a.Text, b.Text) : a.Score != b.Score ? a.Score.CompareTo(b.Score) : texts[a.Element].SequenceCompareTo(texts[b.Element]);
        return isDescending ? -order : order;
    }

    // What is only shown is compared as the C locale does, up to a zero byte. Only what both have in common is looked at: the texts may be long.
    private int CompareTexts(TextSlice a, TextSlice b)
    {
        if (a.IsNone || b.IsNone)
            return (a.IsNone ? 0 : 1) - (b.IsNone ? 0 : 1);
        ReadOnlySpan<byte> first = texts[a];
        ReadOnlySpan<byte> second = texts[b];
        if (first == second)
            return 0;
        if (isStored)
            return first.SequenceCompareTo(second);
        int common = first.CommonPrefixLength(second);
        if (first[..common].Contains((byte)0))
            return 0;
        return ByteAt(first, common) - ByteAt(second, common);
    }

    // The end of a text is a zero byte to a C string.
    private static int ByteAt(ReadOnlySpan<byte> text, int index) => index < text.Length ? text[index] : 0;
}
