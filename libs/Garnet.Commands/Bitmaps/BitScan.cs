// Counts and searches bits in strings. Stateless.
using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Garnet.Commands.Bitmaps;

/// <summary>Works on an inclusive range of bits; bit 0 is the most significant bit of the first byte.</summary>
internal static class BitScan
{
    /// <summary>Counts the set bits.</summary>
    public static long Count(ReadOnlySpan<byte> value, long first, long last)
    {
        if (first > last)
            return 0;
        int from = (int)(first >> 3);
        int to = (int)(last >> 3);
        int firstMask = 0xFF >> (int)(first & 7);
        int lastMask = 0xFF << (7 - (int)(last & 7));
        if (from == to)
            return BitOperations.PopCount((uint)(value[from] & firstMask & lastMask & 0xFF));
        return BitOperations.PopCount((uint)(value[from] & firstMask))
            + Count(value[(from + 1)..to])
            + BitOperations.PopCount((uint)(value[to] & lastMask & 0xFF));
    }

    /// <summary>Finds the first set or clear bit; -1 if there is none.</summary>
    public static long Find(ReadOnlySpan<byte> value, long first, long last, bool set)
    {
        if (first > last)
            return -1;
        int from = (int)(first >> 3);
        int to = (int)(last >> 3);
        byte flip = set ? (byte)0 : (byte)0xFF;
        int head = (value[from] ^ flip) & (0xFF >> (int)(first & 7));
        long found = -1;
        if (head != 0)
        {
            found = (from * 8L) + BitOperations.LeadingZeroCount((uint)head) - 24;
        }
        else if (to > from)
        {
            // A byte that contains no such bit equals the flip.
            int at = value[(from + 1)..(to + 1)].IndexOfAnyExcept(flip);
            if (at >= 0)
                found = ((from + 1L + at) * 8) + BitOperations.LeadingZeroCount((uint)(value[from + 1 + at] ^ flip)) - 24;
        }

        return found > last ? -1 : found;
    }

    private static long Count(ReadOnlySpan<byte> value)
    {
        long count = 0;
        if (Vector128.IsHardwareAccelerated && value.Length >= 2 * Vector128<byte>.Count)
            count = CountVectors(ref value);
        while (value.Length >= sizeof(ulong))
        {
            count += BitOperations.PopCount(BinaryPrimitives.ReadUInt64LittleEndian(value));
            value = value[sizeof(ulong)..];
        }

        foreach (byte rest in value)
            count += BitOperations.PopCount(rest);
        return count;
    }

    // SIMD population count within each byte (Hacker's Delight 5-1); the byte sums can hold 31 rounds of at most 8 before they must be
    // accumulated.
    private static long CountVectors(ref ReadOnlySpan<byte> value)
    {
        const int roundsPerSum = 31;
        ReadOnlySpan<Vector256<byte>> vectors = MemoryMarshal.Cast<byte, Vector256<byte>>(value);
        value = value[(vectors.Length * Vector256<byte>.Count)..];
        var ones = Vector256.Create((byte)0x55);
        var pairs = Vector256.Create((byte)0x33);
        var nibbles = Vector256.Create((byte)0x0F);
        long count = 0;
        while (!vectors.IsEmpty)
        {
            int rounds = Math.Min(roundsPerSum, vectors.Length);
            Vector256<byte> sums = Vector256<byte>.Zero;
            foreach (Vector256<byte> vector in vectors[..rounds])
            {
                Vector256<byte> bits = vector - (Vector256.ShiftRightLogical(vector.AsUInt16(), 1).AsByte() & ones);
                bits = (bits & pairs) + (Vector256.ShiftRightLogical(bits.AsUInt16(), 2).AsByte() & pairs);
                sums += (bits + Vector256.ShiftRightLogical(bits.AsUInt16(), 4).AsByte()) & nibbles;
            }

            (Vector256<ushort> low, Vector256<ushort> high) = Vector256.Widen(sums);
            count += Vector256.Sum(low + high);
            vectors = vectors[rounds..];
        }

        return count;
    }
}
