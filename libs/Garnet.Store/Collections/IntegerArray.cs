// A set of integers as an ascending array: Valkey's intset. Pure functions of a value's bytes.
using System.Buffers.Binary;

namespace Garnet.Store;

/// <summary>Integers of one width (2, 4 or 8 bytes) behind the header; torn bytes give wrong answers, never reads outside.</summary>
internal static class IntegerArray
{
    public static int Width(ReadOnlySpan<byte> value) => 2 << ((PackedForm.FormOf(value) >> PackedForm.WidthShift) & 3);

    public static int FormOfWidth(int width) => PackedForm.Integers | ((width == 2 ? 0 : width == 4 ? 1 : 2) << PackedForm.WidthShift);

    public static int WidthFor(long value) => value == (short)value ? 2 : value == (int)value ? 4 : 8;

    /// <summary>Integers that are there, however torn the header.</summary>
    public static int Count(ReadOnlySpan<byte> value) => Math.Min(PackedForm.Count(value), (value.Length - PackedForm.HeaderBytes) / Width(value));

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

    /// <summary>The index of an integer, or the complement of where it belongs.</summary>
    public static int Find(ReadOnlySpan<byte> value, long integer)
    {
        int low = 0;
        int high = Count(value) - 1;
        while (low <= high)
        {
            int middle = (low + high) >>> 1;
            long there = At(value, middle);
            if (there == integer)
            {
                return middle;
            }

            if (there < integer)
            {
                low = middle + 1;
            }
            else
            {
                high = middle - 1;
            }
        }

        return ~low;
    }
}
