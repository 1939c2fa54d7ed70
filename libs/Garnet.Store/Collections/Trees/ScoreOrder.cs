// Sorted sets: entries ordered by score, then by the member's bytes. Immutable.
using System.Runtime.CompilerServices;

namespace Garnet.Store.Collections.Trees;

/// <summary>An entry is the score's element code, followed by the member's text up to the end.</summary>
internal readonly struct ScoreOrder : ITreeOrder
{
    public static int Words => 3;

    public static LeafKind Leaf => LeafKind.Plain;

    public static bool IsExact => false;

    /// <summary>The key of a score (not NaN) and a member; an empty member gives the smallest key of the score.</summary>
    public static TreeKey KeyOf(double score, ReadOnlySpan<byte> member) => new(ElementBytes.Order(score), 0, member);

    /// <summary>A key after all members with a score.</summary>
    public static TreeKey KeyBehind(double score) => new(ElementBytes.Order(score) + 1, 0, default);

    /// <summary>The member in an entry.</summary>
    public static ReadOnlySpan<byte> MemberIn(ReadOnlySpan<byte> entry)
    {
        ElementBytes.OrderedScore(entry, out int length);
        return entry[length..];
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Compare(in TreeKey key, ReadOnlySpan<byte> entry)
    {
        ulong score = ElementBytes.OrderedScore(entry, out int length);
        return key.High != score ? key.High.CompareTo(score) : key.Bytes.SequenceCompareTo(entry[length..]);
    }

    public TreeWords Shorten(in TreeKey key) => TreeWords.Of(key.High, key.Bytes);

    public TreeWords ShortenEntry(ReadOnlySpan<byte> entry)
    {
        ulong score = ElementBytes.OrderedScore(entry, out int length);
        return TreeWords.Of(score, entry[length..]);
    }

    public ulong FirstWord(ReadOnlySpan<byte> entry) => ElementBytes.OrderedScore(entry, out _);
}
