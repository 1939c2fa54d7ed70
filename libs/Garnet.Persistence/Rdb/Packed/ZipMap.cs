// The zipmap layout: a count of pairs (254: unknown), pairs, 0xFF. Stateless; any thread.
using System.Buffers.Binary;

namespace Garnet.Persistence.Rdb.Packed;

/// <summary>
/// A pair is a field's length and bytes, a value's length, the number of unused bytes after it, its bytes and the unused ones. A length is
/// a byte, or 254 and 4 bytes, little endian.
/// </summary>
internal static class ZipMap
{
    private const byte LongLength = 254;
    private const byte End = 0xFF;

    /// <summary>
    /// Checks the frame; <paramref name="count"/> is -1 when the header does not contain it, else the number of fields and values.
    /// </summary>
    public static bool TryOpen(ReadOnlySpan<byte> blob, out int first, out int count)
    {
        first = 1;
        count = -1;
        if (blob.Length < 2 || blob[^1] != End)
            return false;
        count = blob[0] < LongLength ? 2 * blob[0] : -1;
        return true;
    }

    /// <summary>Reads the field or value at a position before the last byte, and advances past it.</summary>
    public static bool TryRead(ReadOnlySpan<byte> blob, scoped ref int position, bool isValue, out PackedElement element)
    {
        element = default;
        ReadOnlySpan<byte> rest = blob[position..^1];
        int header = rest[0] < LongLength ? 1 : 5;
        int unusedAt = header;
        if (isValue)
            header++;
        if (rest[0] == End || header > rest.Length)
            return false;
        long length = rest[0] < LongLength ? rest[0] : BinaryPrimitives.ReadUInt32LittleEndian(rest[1..]);
        int unused = isValue ? rest[unusedAt] : 0;
        if (length + unused > rest.Length - header)
            return false;
        element = new PackedElement(rest.Slice(header, (int)length));
        position += header + (int)length + unused;
        return true;
    }
}
