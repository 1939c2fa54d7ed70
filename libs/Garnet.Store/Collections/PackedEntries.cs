// Walks the entries of packed collections. Pure functions of the bytes; given torn bytes they still never read outside the span, and always
// terminate.
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Garnet.Store.Collections;

/// <summary>Skips and decodes entries; <see cref="ElementCode"/> gives their grammar.</summary>
internal static class PackedEntries
{
    /// <summary>Offset of the entry after the one at an offset; the span's end when there is none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Next(ReadOnlySpan<byte> bytes, int offset)
    {
        int tag = Unsafe.Add(ref MemoryMarshal.GetReference(bytes), offset);
        int next = offset + (tag < ElementCode.FirstSmallInteger ? tag + 1 : SizeOfOther(bytes[offset..]));
        return (uint)next <= (uint)bytes.Length ? next : bytes.Length;
    }

    /// <summary>Skips several entries.</summary>
    public static int Skip(ReadOnlySpan<byte> bytes, int offset, long entries)
    {
        while (entries-- > 0 && offset < bytes.Length)
            offset = Next(bytes, offset);

        return offset;
    }

    /// <summary>Offset of an element among every <paramref name="stride"/>-th entry; -1 when not found.</summary>
    public static int Find(ReadOnlySpan<byte> bytes, int offset, int stride, in ElementCode code)
    {
        byte tag = code.Tag;
        while (offset < bytes.Length)
        {
            if (Unsafe.Add(ref MemoryMarshal.GetReference(bytes), offset) == tag && code.Matches(bytes[offset..]))
                return offset;

            for (int i = 0; i < stride && offset < bytes.Length; i++)
                offset = Next(bytes, offset);
        }

        return -1;
    }

    /// <summary>The element at an offset; empty when the bytes are torn.</summary>
    public static PackedElement Read(ReadOnlySpan<byte> bytes, int offset) => offset < bytes.Length ? Read(bytes, offset, out _) : default;

    /// <summary>The element at an offset before the end, and the offset of the next entry.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static PackedElement Read(ReadOnlySpan<byte> bytes, int offset, out int next)
    {
        int tag = bytes[offset];
        next = offset + 1 + tag;
        return tag < ElementCode.FirstSmallInteger && next <= bytes.Length
            ? new PackedElement(bytes.Slice(offset + 1, tag))
            : ReadOther(bytes, offset, out next);
    }

    /// <summary>The score at an offset.</summary>
    public static double ReadScore(ReadOnlySpan<byte> bytes, int offset)
    {
        if (offset >= bytes.Length)
            return 0;

        bytes = bytes[offset..Next(bytes, offset)];
        if (bytes[0] == ElementCode.Score)
            return bytes.Length < 9 ? 0 : BinaryPrimitives.ReadDoubleLittleEndian(bytes[1..]);

        return IntegerOf(bytes);
    }

    /// <summary>The integer at an offset, for entries known to be integers.</summary>
    public static long ReadInteger(ReadOnlySpan<byte> bytes, int offset) =>
        offset >= bytes.Length ? 0 : IntegerOf(bytes[offset..Next(bytes, offset)]);

    /// <summary>Like <see cref="ReadInteger(ReadOnlySpan{byte}, int)"/>, and returns the offset of the next entry.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long ReadInteger(ReadOnlySpan<byte> bytes, int offset, out int next)
    {
        if ((uint)offset < (uint)bytes.Length && bytes[offset] is >= ElementCode.FirstSmallInteger and < ElementCode.FirstMiddleInteger)
        {
            next = offset + 1;
            return bytes[offset] - ElementCode.FirstSmallInteger;
        }

        return ReadLargerInteger(bytes, offset, out next);
    }

    private static long ReadLargerInteger(ReadOnlySpan<byte> bytes, int offset, out int next)
    {
        next = offset + 2;
        if (next <= bytes.Length && bytes[offset] is >= ElementCode.FirstMiddleInteger and < ElementCode.FirstWideInteger)
            return MiddleInteger(bytes[offset], bytes[offset + 1]);

        next = offset < bytes.Length ? Next(bytes, offset) : bytes.Length;
        return ReadInteger(bytes, offset);
    }

    private static PackedElement ReadOther(ReadOnlySpan<byte> bytes, int offset, out int next)
    {
        next = Next(bytes, offset);
        ReadOnlySpan<byte> entry = bytes[offset..next];
        int tag = entry[0];
        if (tag < ElementCode.FirstSmallInteger)
            return new PackedElement(entry[1..]);

        if (tag >= ElementCode.FirstMiddleText)
        {
            int header = tag < ElementCode.LongText ? 2 : 5;
            return new PackedElement(entry.Length < header ? default : entry[header..]);
        }

        return tag == ElementCode.Score ? default : new PackedElement(IntegerOf(entry));
    }

    private static long IntegerOf(ReadOnlySpan<byte> entry)
    {
        int tag = entry[0];
        if (tag < ElementCode.FirstMiddleInteger)
            return tag - ElementCode.FirstSmallInteger;

        if (tag < ElementCode.FirstWideInteger)
            return entry.Length < 2 ? 0 : MiddleInteger(tag, entry[1]);

        ReadOnlySpan<byte> digits = entry[1..];
        int unused = 64 - (digits.Length * 8);
        return unused is < 0 or > 56 ? 0 : (long)Unsigned(digits) << unused >> unused;
    }

    private static int MiddleInteger(int tag, byte low) => ElementCode.SmallIntegers + ((tag - ElementCode.FirstMiddleInteger) << 8) + low;

    // Two loads that may overlap instead of one per byte.
    private static ulong Unsigned(ReadOnlySpan<byte> digits)
    {
        int length = digits.Length;
        if (length >= sizeof(uint))
        {
            int rest = length - sizeof(uint);
            return BinaryPrimitives.ReadUInt32LittleEndian(digits)
                | ((ulong)BinaryPrimitives.ReadUInt32LittleEndian(digits[rest..]) << (rest * 8));
        }

        return length < sizeof(ushort)
            ? digits[0]
            : BinaryPrimitives.ReadUInt16LittleEndian(digits)
                | ((ulong)BinaryPrimitives.ReadUInt16LittleEndian(digits[(length - sizeof(ushort))..]) << ((length - sizeof(ushort)) * 8));
    }

    private static int SizeOfOther(ReadOnlySpan<byte> entry)
    {
        int tag = entry[0];
        if (tag < ElementCode.FirstWideInteger)
            return tag < ElementCode.FirstMiddleInteger ? 1 : 2;

        if (tag <= ElementCode.Score)
            return tag == ElementCode.Score ? 9 : tag - ElementCode.FirstWideInteger + 2;

        if (tag is >= ElementCode.FirstMiddleText and < ElementCode.LongText)
            return entry.Length < 2 ? entry.Length : 2 + ((tag - ElementCode.FirstMiddleText) << 8) + entry[1];

        if (tag != ElementCode.LongText || entry.Length < 5)
            return entry.Length;

        int length = BinaryPrimitives.ReadInt32LittleEndian(entry[1..]);
        return length < 0 || length > entry.Length - 5 ? entry.Length : 5 + length;
    }
}
