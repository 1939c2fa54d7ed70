// A key shortened to at most three words, as stored in inner nodes. Immutable.
using System.Buffers.Binary;

namespace Garnet.Store.Collections.Trees;

/// <summary>A shortened key: smaller words mean a smaller key, equal words leave the order open.</summary>
internal readonly struct TreeWords(ulong first, ulong second = 0, ulong third = 0)
{
    public readonly ulong First = first;
    public readonly ulong Second = second;
    public readonly ulong Third = third;

    /// <summary>A word and the first bytes of a span.</summary>
    public static TreeWords Of(ulong first, ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length >= 16)
            return new TreeWords(first, BinaryPrimitives.ReadUInt64BigEndian(bytes), BinaryPrimitives.ReadUInt64BigEndian(bytes[8..]));

        Span<byte> padded = stackalloc byte[16];
        padded.Clear();
        bytes.CopyTo(padded);
        return new TreeWords(first, BinaryPrimitives.ReadUInt64BigEndian(padded), BinaryPrimitives.ReadUInt64BigEndian(padded[8..]));
    }

    /// <summary>Compares the first <paramref name="words"/> words.</summary>
    public int CompareTo(in TreeWords other, int words)
    {
        if (First != other.First || words == 1)
            return First.CompareTo(other.First);

        return Second != other.Second || words == 2 ? Second.CompareTo(other.Second) : Third.CompareTo(other.Third);
    }
}
