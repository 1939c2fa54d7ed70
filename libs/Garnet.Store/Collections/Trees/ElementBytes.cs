// The parts of ElementCode's grammar that trees need. Pure functions of whole codes, which are never torn: trees are read under a latch or
// frozen.
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Garnet.Store.Collections.Trees;

/// <summary>Lengths and scores of element codes.</summary>
internal static class ElementBytes
{
    /// <summary>Size of the code at the start of an entry.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int CodeLength(ReadOnlySpan<byte> entry)
    {
        int tag = MemoryMarshal.GetReference(entry);
        return tag < ElementCode.FirstSmallInteger ? tag + 1 : CodeLengthOfOther(entry, tag);
    }

    /// <summary>Like <see cref="CodeLength(ReadOnlySpan{byte})"/>, for a code in a leaf.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe int CodeLength(byte* code) =>
        *code < ElementCode.FirstSmallInteger ? *code + 1 : CodeLengthOfOther(new ReadOnlySpan<byte>(code, 5), *code);

    /// <summary>
    /// The score whose code starts an entry, as an integer that sorts like the scores; <paramref name="length"/> is the size of the code.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong OrderedScore(ReadOnlySpan<byte> entry, out int length)
    {
        int tag = MemoryMarshal.GetReference(entry);
        if (tag == ElementCode.Score)
        {
            length = 9;
            return Order(BitConverter.UInt64BitsToDouble(Unsafe.ReadUnaligned<ulong>(ref Unsafe.AsRef(in entry[1]))));
        }

        length = CodeLengthOfOther(entry, tag);
        return Order(Integer(entry, tag));
    }

    /// <summary>An integer that sorts like the scores; both zeros map to the same one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Order(double score)
    {
        long bits = BitConverter.DoubleToInt64Bits(score + 0.0);
        return (ulong)(bits ^ ((bits >> 63) | long.MinValue));
    }

    /// <summary>The score of an ordered integer.</summary>
    public static double Unorder(ulong ordered)
    {
        long bits = (long)ordered;
        return BitConverter.Int64BitsToDouble(bits ^ ((~bits >> 63) | long.MinValue));
    }

    private static int CodeLengthOfOther(ReadOnlySpan<byte> entry, int tag)
    {
        return tag switch
        {
            < ElementCode.FirstMiddleInteger => 1,
            < ElementCode.FirstWideInteger => 2,
            < ElementCode.Score => tag - ElementCode.FirstWideInteger + 2,
            ElementCode.Score => 9,
            < ElementCode.LongText => 2 + ((tag & 15) << 8) + entry[1],
            CodedLeaf.OutsideTag => 1 + sizeof(ulong),
            _ => 5 + (int)BinaryPrimitives.ReadUInt32LittleEndian(entry[1..]),
        };
    }

    private static long Integer(ReadOnlySpan<byte> entry, int tag)
    {
        if (tag < ElementCode.FirstMiddleInteger)
            return tag - ElementCode.FirstSmallInteger;

        if (tag < ElementCode.FirstWideInteger)
            return ElementCode.SmallIntegers + ((tag - ElementCode.FirstMiddleInteger) << 8) + entry[1];

        long value = (sbyte)entry[tag - ElementCode.FirstWideInteger + 1];
        for (int i = tag - ElementCode.FirstWideInteger; i > 0; i--)
            value = (value << 8) | entry[i];

        return value;
    }
}
