// Streams: entries ordered by a 128-bit ID. Immutable.
using System.Buffers.Binary;

namespace Garnet.Store.Collections.Trees;

/// <summary>An entry starts with its ID: milliseconds and sequence number, eight little-endian bytes each.</summary>
internal readonly struct IdOrder : ITreeOrder
{
    /// <summary>Size of the ID.</summary>
    public const int IdBytes = 16;

    public static int Words => 2;

    public static LeafKind Leaf => LeafKind.Plain;

    public static bool IsExact => true;

    /// <summary>The key of an ID.</summary>
    public static TreeKey KeyOf(ulong milliseconds, ulong sequence) => new(milliseconds, sequence, default);

    public int Compare(in TreeKey key, ReadOnlySpan<byte> entry)
    {
        ulong high = BinaryPrimitives.ReadUInt64LittleEndian(entry);
        return key.High != high ? key.High.CompareTo(high) : key.Low.CompareTo(BinaryPrimitives.ReadUInt64LittleEndian(entry[8..]));
    }

    public TreeWords Shorten(in TreeKey key) => new(key.High, key.Low);

    public TreeWords ShortenEntry(ReadOnlySpan<byte> entry) =>
        new(BinaryPrimitives.ReadUInt64LittleEndian(entry), BinaryPrimitives.ReadUInt64LittleEndian(entry[8..]));

    public ulong FirstWord(ReadOnlySpan<byte> entry) => BinaryPrimitives.ReadUInt64LittleEndian(entry);
}
