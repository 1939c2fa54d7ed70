// Entries ordered by the seeded hash of their member: sets and hashes. Immutable.
using System.Runtime.CompilerServices;
using Garnet.Store.Memory;

namespace Garnet.Store.Collections.Trees;

/// <summary>
/// An entry starts with its member's element code; equal hashes are ordered by the code's bytes. The seed is private to the store, because
/// cursors of scans reveal these hashes.
/// </summary>
internal readonly struct HashOrder(ulong seed) : ITreeOrder
{
    private readonly KeyHash _hash = new(seed);

    public static int Words => 1;

    public static LeafKind Leaf => LeafKind.Tagged;

    public static bool IsExact => false;

    /// <summary>The key of a member, given as its element code.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public TreeKey KeyOf(ReadOnlySpan<byte> code) => new(_hash.Compute(code), 0, code);

    /// <summary>The smallest key of a hash, where a scan resumes.</summary>
    public static TreeKey KeyOfHash(ulong hash) => new(hash, 0, default);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Compare(in TreeKey key, ReadOnlySpan<byte> entry)
    {
        ReadOnlySpan<byte> member = entry[..ElementBytes.CodeLength(entry)];
        return member.SequenceEqual(key.Bytes) ? 0 : CompareOther(key, member);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public TreeWords Shorten(in TreeKey key) => new(key.High);

    public TreeWords ShortenEntry(ReadOnlySpan<byte> entry) => new(FirstWord(entry));

    public ulong FirstWord(ReadOnlySpan<byte> entry) => _hash.Compute(entry[..ElementBytes.CodeLength(entry)]);

    private int CompareOther(in TreeKey key, ReadOnlySpan<byte> member)
    {
        ulong hash = _hash.Compute(member);
        return key.High != hash ? key.High.CompareTo(hash) : key.Bytes.SequenceCompareTo(member);
    }
}
