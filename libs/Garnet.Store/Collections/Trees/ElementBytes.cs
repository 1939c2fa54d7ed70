// The grammar of element codes as far as trees need it. Pure functions.
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Garnet.Store;

/// <summary>Lengths and scores of element codes.</summary>
internal static class ElementBytes
{
    /// <summary>Bytes of the code that an entry begins with.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int CodeLength(ReadOnlySpan<byte> entry)
    {
        int tag = MemoryMarshal.GetReference(entry);
        return tag < 96 ? tag + 1 : CodeLengthOfOther(entry, tag);
    }

    /// <summary>As <see cref="CodeLength(ReadOnlySpan{byte})"/>, of a code in a leaf.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe int CodeLength(byte* code) => *code < 96 ? *code + 1 : CodeLengthOfOther(new ReadOnlySpan<byte>(code, 5), *code);

    /// <summary>The score whose code an entry begins with, as a number that sorts as scores do; <paramref name="length"/> is the code's.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong OrderedScore(ReadOnlySpan<byte> entry, out int length)
    {
        int tag = MemoryMarshal.GetReference(entry);
        if (tag == 200)
        {
            length = 9;
            return Order(BitConverter.UInt64BitsToDouble(Unsafe.ReadUnaligned<ulong>(ref Unsafe.AsRef(in entry[1]))));
        }

        length = CodeLengthOfOther(entry, tag);
        return Order(Integer(entry, tag));
    }

    /// <summary>A number that sorts as scores do; both zeros are one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Order(double score)
    {
        long bits = BitConverter.DoubleToInt64Bits(score + 0.0);
        return (ulong)(bits ^ ((bits >> 63) | long.MinValue));
    }

    /// <summary>The score of an ordered number.</summary>
    public static double Unorder(ulong ordered)
    {
        long bits = (long)ordered;
        return BitConverter.Int64BitsToDouble(bits ^ ((~bits >> 63) | long.MinValue));
    }

    private static int CodeLengthOfOther(ReadOnlySpan<byte> entry, int tag)
    {
        return tag switch
        {
            < 160 => 1,
            < 192 => 2,
            < 200 => tag - 190,
            200 => 9,
            < 224 => 2 + ((tag & 15) << 8) + entry[1],
            CodedLeaf.OutsideTag => 1 + sizeof(ulong),
            _ => 5 + (int)BinaryPrimitives.ReadUInt32LittleEndian(entry[1..]),
        };
    }

    private static long Integer(ReadOnlySpan<byte> entry, int tag)
    {
        if (tag < 160)
        {
            return tag - 96;
        }

        if (tag < 192)
        {
            return 64 + ((tag - 160) << 8) + entry[1];
        }

        long value = (sbyte)entry[tag - 191];
        for (int i = tag - 192; i > 0; i--)
        {
            value = (value << 8) | entry[i];
        }

        return value;
    }
}
