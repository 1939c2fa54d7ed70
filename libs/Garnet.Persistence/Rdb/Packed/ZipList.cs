// The ziplist layout: u32 total bytes, u32 offset of the last element, u16 count (65535: unknown), elements, 0xFF. Stateless; any thread.
using System.Buffers.Binary;

namespace Garnet.Persistence.Rdb.Packed;

/// <summary>
/// An element is the length of the previous one (1 byte, or 254 and 4 bytes), its encoding, its data. Encodings: 00xxxxxx text; 01xxxxxx +
/// 1 byte text; 80 + 4 bytes text, big endian; C0, D0, E0, F0, FE numbers of 2, 4, 8, 3, 1 bytes, little endian; F1 to FD the numbers 0 to
/// 12.
/// </summary>
internal static class ZipList
{
    private const int HeaderBytes = 10;
    private const byte LongPrevious = 254;
    private const byte End = 0xFF;

    /// <summary>Checks the frame; <paramref name="count"/> is -1 when the header does not contain it.</summary>
    public static bool TryOpen(ReadOnlySpan<byte> blob, out int first, out int count)
    {
        first = HeaderBytes;
        count = -1;
        if (blob.Length < HeaderBytes + 1 || BinaryPrimitives.ReadUInt32LittleEndian(blob) != (uint)blob.Length || blob[^1] != End)
            return false;
        ushort announced = BinaryPrimitives.ReadUInt16LittleEndian(blob[8..]);
        count = announced == ushort.MaxValue ? -1 : announced;
        return BinaryPrimitives.ReadUInt32LittleEndian(blob[4..]) < (uint)blob.Length;
    }

    /// <summary>Position of the last element according to the header; meaningless without elements.</summary>
    public static uint LastOf(ReadOnlySpan<byte> blob) => BinaryPrimitives.ReadUInt32LittleEndian(blob[4..]);

    /// <summary>
    /// Reads the element at a position before the last byte, and advances past it; <paramref name="previous"/> is the length of the
    /// previous element.
    /// </summary>
    public static bool TryRead(
        ReadOnlySpan<byte> blob,
        scoped ref int position,
        scoped ref int previous,
        byte[] digits,
        out PackedElement element
    )
    {
        element = default;
        ReadOnlySpan<byte> rest = blob[position..^1];
        int prefix = rest[0] < LongPrevious ? 1 : 5;
        if (rest[0] == End || rest.Length < prefix + 1)
            return false;
        uint told = prefix == 1 ? rest[0] : BinaryPrimitives.ReadUInt32LittleEndian(rest[1..]);
        if (told != (uint)previous)
            return false;
        ReadOnlySpan<byte> body = rest[prefix..];
        int length = body[0] < 0xC0 ? ReadText(body, out element) : ReadNumber(body, digits, out element);
        if (length == 0)
            return false;
        previous = prefix + length;
        position += previous;
        return true;
    }

    private static int ReadText(ReadOnlySpan<byte> body, out PackedElement element)
    {
        element = default;
        int header = (body[0] >> 6) switch
        {
            0 => 1,
            1 => 2,
            _ => 5,
        };
        if (header > body.Length)
            return 0;
        long data = header switch
        {
            1 => body[0],
            2 => ((body[0] & 0x3F) << 8) | body[1],
            _ => BinaryPrimitives.ReadUInt32BigEndian(body[1..]),
        };
        if (data > body.Length - header)
            return 0;
        element = new PackedElement(body.Slice(header, (int)data));
        return header + (int)data;
    }

    private static int ReadNumber(ReadOnlySpan<byte> body, byte[] digits, out PackedElement element)
    {
        element = default;
        int length = body[0] switch
        {
            0xC0 => 3,
            0xD0 => 5,
            0xE0 => 9,
            0xF0 => 4,
            0xFE => 2,
            >= 0xF1 and <= 0xFD => 1,
            _ => 0,
        };
        if (length == 0 || length > body.Length)
            return 0;
        long number = body[0] switch
        {
            0xC0 => BinaryPrimitives.ReadInt16LittleEndian(body[1..]),
            0xD0 => BinaryPrimitives.ReadInt32LittleEndian(body[1..]),
            0xE0 => BinaryPrimitives.ReadInt64LittleEndian(body[1..]),
            0xF0 => (body[1] | (body[2] << 8) | (body[3] << 16)) << 8 >> 8,
            0xFE => (sbyte)body[1],
            _ => (body[0] & 0x0F) - 1,
        };
        element = new PackedElement(number, digits);
        return length;
    }
}
