// One member of a large sorted set as stored in its trees. Pure functions of the bytes.
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.SortedSets;

/// <summary>
/// In the tree of scores: the score's code and the member's text. In the tree of fingerprints: six bytes of hash, the score's code, and,
/// where many members share a score, the text again.
/// </summary>
internal static class ScoreEntry
{
    public static ScoredMember Read(ReadOnlySpan<byte> entry) =>
        new(new PackedElement(entry[PackedEntries.Next(entry, 0)..]), PackedEntries.ReadScore(entry, 0));

    public static double Score(ReadOnlySpan<byte> entry) => PackedEntries.ReadScore(entry, 0);

    /// <summary>Whether an entry in the tree of scores is a member's with a score.</summary>
    public static bool Is(ReadOnlySpan<byte> entry, double score, ReadOnlySpan<byte> member) =>
        ElementBytes.OrderedScore(entry, out int length) == ElementBytes.Order(score) && entry[length..].SequenceEqual(member);

    public static ReadOnlySpan<byte> Make(double score, ReadOnlySpan<byte> member)
    {
        var code = ElementCode.OfScore(score);
        Span<byte> entry = ElementScratch.Current.TakeEntry(checked(code.Size + member.Length));
        member.CopyTo(code.WriteTo(entry));
        return entry;
    }

    public static ReadOnlySpan<byte> MakeFingerprint(ulong print, double score, ReadOnlySpan<byte> member)
    {
        var code = ElementCode.OfScore(score);
        Span<byte> entry = ElementScratch.Current.TakeEntry(checked(FingerprintOrder.HashBytes + code.Size + member.Length));
        FingerprintOrder.WriteFingerprint(entry, print);
        member.CopyTo(code.WriteTo(entry[FingerprintOrder.HashBytes..]));
        return entry;
    }

    public static double PrintScore(ReadOnlySpan<byte> print) => PackedEntries.ReadScore(print, FingerprintOrder.HashBytes);

    /// <summary>The member in a fingerprint entry; empty when it is stored only in the tree of scores.</summary>
    public static ReadOnlySpan<byte> PrintMember(ReadOnlySpan<byte> print) =>
        print[PackedEntries.Next(print, FingerprintOrder.HashBytes)..];
}
