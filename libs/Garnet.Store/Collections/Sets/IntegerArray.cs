// A set of integers as an ascending array: Valkey's intset. Pure functions of a value's bytes.
using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Garnet.Store.Collections.Sets;

/// <summary>Integers of one width (2, 4 or 8 bytes) after the header; torn bytes give wrong results but no reads out of bounds.</summary>
internal static class IntegerArray
{
    public static int Width(ReadOnlySpan<byte> value) => 2 << ((PackedForm.FormOf(value) >> PackedForm.WidthShift) & 3);

    public static int FormOfWidth(int width) =>
        PackedForm.Integers
        | (
            (
                width == 2 ? 0
                : width == 4 ? 1
                : 2
            ) << PackedForm.WidthShift
        );

    public static int WidthFor(long value) =>
        value == (short)value ? 2
        : value == (int)value ? 4
        : 8;

    /// <summary>Number of integers present, however torn the header is.</summary>
    public static int Count(ReadOnlySpan<byte> value) =>
        Math.Min(PackedForm.Count(value), (value.Length - PackedForm.HeaderBytes) / Width(value));

    public static long At(ReadOnlySpan<byte> value, int index)
    {
        int width = Width(value);
        ReadOnlySpan<byte> place = value.Slice(PackedForm.HeaderBytes + (index * width), width);
        return width switch
        {
            2 => BinaryPrimitives.ReadInt16LittleEndian(place),
            4 => BinaryPrimitives.ReadInt32LittleEndian(place),
            8 => BinaryPrimitives.ReadInt64LittleEndian(place),
            _ => 0,
        };
    }

    public static void WriteAt(Span<byte> value, int index, int width, long integer)
    {
        Span<byte> place = value.Slice(PackedForm.HeaderBytes + (index * width), width);
        switch (width)
        {
            case 2:
                BinaryPrimitives.WriteInt16LittleEndian(place, (short)integer);
                break;
            case 4:
                BinaryPrimitives.WriteInt32LittleEndian(place, (int)integer);
                break;
            default:
                BinaryPrimitives.WriteInt64LittleEndian(place, integer);
                break;
        }
    }

    /// <summary>The index of an integer, or the complement of its insertion point.</summary>
    public static int Find(ReadOnlySpan<byte> value, long integer)
    {
        int count = Count(value);
        int width = Width(value);
        if (count <= 0)
            return ~0;

        if (WidthFor(integer) > width)
            return integer < 0 ? ~0 : ~count;

        ReadOnlySpan<byte> array = value.Slice(PackedForm.HeaderBytes, count * width);
        return width switch
        {
            2 => FindIn(MemoryMarshal.Cast<byte, short>(array), (short)integer),
            4 => FindIn(MemoryMarshal.Cast<byte, int>(array), (int)integer),
            _ => FindIn(MemoryMarshal.Cast<byte, long>(array), integer),
        };
    }

    // A command's results computed from an ascending array are ascending too, and are appended.
    private static int FindIn<T>(ReadOnlySpan<T> array, T integer)
        where T : struct, IBinaryInteger<T>
    {
        return FromLittleEndian(array[^1]) < integer ? ~array.Length : Search(array, integer);
    }

    private static int Search<T>(ReadOnlySpan<T> array, T integer)
        where T : struct, IBinaryInteger<T>
    {
        int low = 0;
        int high = array.Length - 1;
        while (low <= high)
        {
            int middle = (low + high) >>> 1;
            T there = FromLittleEndian(array[middle]);
            if (there == integer)
                return middle;

            if (there < integer)
                low = middle + 1;
            else
                high = middle - 1;
        }

        return ~low;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static T FromLittleEndian<T>(T value)
        where T : struct, IBinaryInteger<T> =>
        BitConverter.IsLittleEndian ? value : T.ReadLittleEndian(MemoryMarshal.AsBytes(new ReadOnlySpan<T>(in value)), isUnsigned: false);
}
