// The order of a sorted set's fingerprints: by hash, each entry with a score. Immutable.
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using Garnet.Store.Memory;

namespace Garnet.Store.Collections.Trees;

/// <summary>
/// An entry is 48 bits of the member's hash, big-endian, and the score's element code. It tells which score to look under for the member in
/// the tree of scores, where it is stored; members with equal fingerprints have one entry each, ordered by score.
/// </summary>
internal readonly struct FingerprintOrder(ulong seed) : ITreeOrder
{
    /// <summary>Size of the hash in an entry.</summary>
    public const int HashBytes = 6;

    private readonly KeyHash _hash = new(seed);

    public static int Words => 1;

    public static LeafKind Leaf => LeafKind.Tagged;

    public static bool IsExact => false;

    /// <summary>The fingerprint of a member's text: the upper 48 bits of its hash.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong PrintOf(ReadOnlySpan<byte> member) => _hash.Compute(member) >> 16 << 16;

    /// <summary>The smallest key of a fingerprint.</summary>
    public static TreeKey KeyOf(ulong print) => new(print, 0, default);

    /// <summary>The key of a fingerprint with a score (which is not NaN).</summary>
    public static TreeKey KeyOf(ulong print, double score) => new(print, ElementBytes.Order(score), default);

    /// <summary>The fingerprint in an entry.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong PrintIn(ReadOnlySpan<byte> entry) =>
        (ulong)BinaryPrimitives.ReadUInt32BigEndian(entry) << 32 | (uint)BinaryPrimitives.ReadUInt16BigEndian(entry[4..]) << 16;

    /// <summary>The score's code in an entry.</summary>
    public static ReadOnlySpan<byte> ScoreCodeIn(ReadOnlySpan<byte> entry) => entry[HashBytes..];

    /// <summary>Writes the fingerprint of an entry; the score's code goes after it.</summary>
    public static void WriteFingerprint(Span<byte> entry, ulong print)
    {
        BinaryPrimitives.WriteUInt32BigEndian(entry, (uint)(print >> 32));
        BinaryPrimitives.WriteUInt16BigEndian(entry[4..], (ushort)(print >> 16));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Compare(in TreeKey key, ReadOnlySpan<byte> entry)
    {
        ulong print = PrintIn(entry);
        return key.High != print ? key.High.CompareTo(print) : key.Low.CompareTo(ElementBytes.OrderedScore(entry[HashBytes..], out _));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public TreeWords Shorten(in TreeKey key) => new(key.High);

    public TreeWords ShortenEntry(ReadOnlySpan<byte> entry) => new(PrintIn(entry));

    public ulong FirstWord(ReadOnlySpan<byte> entry) => PrintIn(entry);
}
