// One operation of BITFIELD, and its integer arithmetic. Plain values.
using System.Buffers.Binary;

namespace Garnet.Commands.Bitmaps;

/// <summary>
/// An operation on an integer of 1 to 64 bits (unsigned: at most 63) at any bit offset of a string, most significant bit first.
/// </summary>
internal readonly record struct BitFieldOperation(
    BitFieldKind Kind,
    BitFieldOverflow Overflow,
    bool IsSigned,
    int Bits,
    long Offset,
    long Argument
)
{
    /// <summary>The last bit of the integer.</summary>
    public long LastBit => Offset + Bits - 1;

    /// <summary>Reads the integer; bytes beyond the string's end are zeros.</summary>
    public long Read(ReadOnlySpan<byte> value)
    {
        Span<byte> covered = stackalloc byte[9];
        covered.Clear();
        long index = Offset >> 3;
        if (index < value.Length)
        {
            ReadOnlySpan<byte> source = value[(int)index..];
            source[..Math.Min(source.Length, covered.Length)].CopyTo(covered);
        }

        int shift = (int)(Offset & 7);
        ulong bits = (BinaryPrimitives.ReadUInt64BigEndian(covered) << shift) | (uint)(covered[8] >> (8 - shift));
        return IsSigned ? (long)bits >> (64 - Bits) : (long)(bits >> (64 - Bits));
    }

    /// <summary>Writes the integer's bits into a string that contains all of them.</summary>
    public void Write(Span<byte> value, long integer)
    {
        ulong bits = (ulong)integer;
        long end = Offset + Bits;
        for (int left = Bits; left > 0; )
        {
            int index = (int)((end - 1) >> 3);
            int low = 7 - (int)((end - 1) & 7);
            int take = Math.Min(8 - low, left);
            int mask = ((1 << take) - 1) << low;
            value[index] = (byte)((value[index] & ~mask) | ((int)(bits << low) & mask));
            bits >>= take;
            end -= take;
            left -= take;
        }
    }

    /// <summary>The integer after SET or INCRBY; false if it overflows and OVERFLOW FAIL applies.</summary>
    public bool TryApply(long old, out long result)
    {
        long start = Kind == BitFieldKind.Set ? Argument : old;
        long increment = Kind == BitFieldKind.Set ? 0 : Argument;
        result = unchecked(start + increment);
        int direction = IsSigned ? SignedOverflow(start, increment) : UnsignedOverflow((ulong)start, increment);
        if (direction == 0)
            return true;
        result = Overflow switch
        {
            BitFieldOverflow.Saturate => direction > 0 ? MaxValue : MinValue,
            _ => Wrap(result),
        };
        return Overflow != BitFieldOverflow.Fail;
    }

    private long MaxValue => IsSigned ? long.MaxValue >> (64 - Bits) : (long)(ulong.MaxValue >> (64 - Bits));

    private long MinValue => IsSigned ? long.MinValue >> (64 - Bits) : 0;

    private long Wrap(long value) => IsSigned ? value << (64 - Bits) >> (64 - Bits) : value & MaxValue;

    // 1 for overflow, -1 for underflow, 0 if the number fits. The differences wrap around: SET of a number that is below the minimum by
    // more than 2^63 less the maximum counts as overflow and saturates upwards, as in Valkey.
    private int SignedOverflow(long value, long increment)
    {
        long maxIncrement = unchecked(MaxValue - value);
        long minIncrement = unchecked(MinValue - value);
        bool isNarrow = Bits != 64;
        if (value > MaxValue || (increment > maxIncrement && (isNarrow || (value >= 0 && increment > 0))))
            return 1;
        return value < MinValue || (increment < minIncrement && (isNarrow || (value < 0 && increment < 0))) ? -1 : 0;
    }

    // A value that does not fit in the first place (SET of a negative number) counts as overflow.
    private int UnsignedOverflow(ulong value, long increment)
    {
        ulong greatest = (ulong)MaxValue;
        if (value > greatest)
            return 1;
        Int128 sum = (Int128)value + increment;
        return sum > greatest ? 1
            : sum < 0 ? -1
            : 0;
    }
}
