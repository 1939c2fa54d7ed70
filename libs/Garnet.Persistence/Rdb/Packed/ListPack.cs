// The listpack layout: u32 total bytes, u16 count (65535: unknown), elements, 0xFF. Stateless; any thread.
using System.Buffers.Binary;

namespace Garnet.Persistence.Rdb.Packed;

/// <summary>
/// An element is its encoding, its data and its own length, in 7-bit groups readable backwards. Encodings: 0xxxxxxx number; 10xxxxxx text;
/// 110xxxxx + 1 byte signed number; 1110xxxx + 1 byte text; F0 + 4 bytes text; F1, F2, F3, F4 numbers of 2, 3, 4, 8 bytes, little endian.
/// </summary>
internal static class ListPack
{
    private const int HeaderBytes = 6;
    private const byte End = 0xFF;

    /// <summary>Checks the frame; <paramref name="count"/> is -1 when the header does not contain it.</summary>
    public static bool TryOpen(ReadOnlySpan<byte> blob, out int first, out int count)
    {
        first = HeaderBytes;
        count = -1;
        if (blob.Length < HeaderBytes + 1 || BinaryPrimitives.ReadUInt32LittleEndian(blob) != (uint)blob.Length || blob[^1] != End)
            return false;
        ushort announced = BinaryPrimitives.ReadUInt16LittleEndian(blob[4..]);
        count = announced == ushort.MaxValue ? -1 : announced;
        return true;
    }

    /// <summary>Reads the element at a position before the last byte, and advances past it.</summary>
    public static bool TryRead(ReadOnlySpan<byte> blob, scoped ref int position, byte[] digits, out PackedElement element)
    {
        ReadOnlySpan<byte> rest = blob[position..^1];
        element = default;
        int header = HeaderLength(rest[0]);
        if (header == 0 || header > rest.Length)
            return false;
        long data = DataLength(rest, header);
        if (data > rest.Length - header)
            return false;
        int length = header + (int)data;
        if (!EndsWithLength(rest[length..], length, out int back))
            return false;
        element =
            data != 0 || IsText(rest[0]) ? new PackedElement(rest.Slice(header, (int)data)) : new PackedElement(Integer(rest), digits);
        position += length + back;
        return true;
    }

    private static bool IsText(byte first) => (first & 0xC0) == 0x80 || (first & 0xF0) == 0xE0 || first == 0xF0;

    // Length of the header of a text, or of a whole number; 0 for an invalid encoding.
    private static int HeaderLength(byte first) =>
        first switch
        {
            < 0xC0 => 1,
            < 0xE0 => 2,
            < 0xF0 => 2,
            0xF0 => 5,
            0xF1 => 3,
            0xF2 => 4,
            0xF3 => 5,
            0xF4 => 9,
            _ => 0,
        };

    private static long DataLength(ReadOnlySpan<byte> rest, int header) =>
        rest[0] switch
        {
            < 0x80 => 0,
            < 0xC0 => rest[0] & 0x3F,
            < 0xE0 => 0,
            < 0xF0 => ((rest[0] & 0x0F) << 8) | rest[1],
            0xF0 => BinaryPrimitives.ReadUInt32LittleEndian(rest[1..header]),
            _ => 0,
        };

    private static long Integer(ReadOnlySpan<byte> rest) =>
        rest[0] switch
        {
            < 0x80 => rest[0],
            < 0xE0 => (((rest[0] & 0x1F) << 8) | rest[1]) << 19 >> 19,
            0xF1 => BinaryPrimitives.ReadInt16LittleEndian(rest[1..]),
            0xF2 => (rest[1] | (rest[2] << 8) | (rest[3] << 16)) << 8 >> 8,
            0xF3 => BinaryPrimitives.ReadInt32LittleEndian(rest[1..]),
            _ => BinaryPrimitives.ReadInt64LittleEndian(rest[1..]),
        };

    // The length after an element: 7 bits a byte, highest first; all bytes but the first have the high bit set.
    private static bool EndsWithLength(ReadOnlySpan<byte> rest, int length, out int bytes)
    {
        bytes = length switch
        {
            < 1 << 7 => 1,
            < 1 << 14 => 2,
            < 1 << 21 => 3,
            < 1 << 28 => 4,
            _ => 5,
        };
        if (bytes > rest.Length)
            return false;
        for (int i = bytes - 1; i >= 0; i--)
        {
            if (rest[i] != ((length & 0x7F) | (i == 0 ? 0 : 0x80)))
                return false;
            length >>= 7;
        }

        return true;
    }
}
