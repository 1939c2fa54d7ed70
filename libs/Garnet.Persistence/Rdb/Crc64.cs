// CRC-64 as RDB files and DUMP payloads carry it (Jones polynomial, reflected, starts at 0, no final xor). Stateless; any thread.
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Garnet.Persistence.Rdb;

/// <summary>Checksum of RDB data. The checksum of "123456789" is e9c6d914c4b8d9ca.</summary>
internal static class Crc64
{
    // 0xad93d23594c935a9 with its bits in reverse order; x^64 is implied.
    private const ulong Polynomial = 0x95AC9329AC4BC9B5;
    private const int Slices = 8;
    private const int LaneBytes = 16;
    private const int RoundBytes = 4 * LaneBytes;
    private const int MinFoldedBytes = 2 * RoundBytes;
    private const int LanesInVector = 4;
    private const int WideRoundBytes = 4 * LanesInVector * LaneBytes;

    private static readonly ulong[] Tables = BuildTables();

    // Advancing 128 bits by n bits multiplies their two halves by x^(n+63) and x^(n-1): carry-less multiplication of reflected numbers adds
    // one factor x.
    private static readonly Vector128<ulong> AheadByRound = Vector128.Create(
        PowerOfX((RoundBytes * 8) + 63),
        PowerOfX((RoundBytes * 8) - 1)
    );
    private static readonly Vector128<ulong> AheadByWideRound = Vector128.Create(
        PowerOfX((WideRoundBytes * 8) + 63),
        PowerOfX((WideRoundBytes * 8) - 1)
    );
    private static readonly Vector128<ulong> AheadByLane = Vector128.Create(PowerOfX((LaneBytes * 8) + 63), PowerOfX((LaneBytes * 8) - 1));

    /// <summary>The checksum of the bytes that <paramref name="crc"/> covers (0 for none) followed by these bytes.</summary>
    public static ulong Append(ulong crc, ReadOnlySpan<byte> bytes)
    {
        if (Pclmulqdq.IsSupported && bytes.Length >= MinFoldedBytes)
        {
            int folded = bytes.Length & ~(LaneBytes - 1);
            crc = Fold(crc, MemoryMarshal.Cast<byte, Vector128<ulong>>(bytes[..folded]));
            bytes = bytes[folded..];
        }

        return AppendByTables(crc, bytes);
    }

    /// <summary>
    /// The checksum of a text of which the first bytes are replaced by as many others: a file's header can be settled after the rest is
    /// written.
    /// </summary>
    public static ulong ExchangeStart(ulong crc, ReadOnlySpan<byte> before, ReadOnlySpan<byte> after, long length)
    {
        ArgumentOutOfRangeException.ThrowIfNotEqual(after.Length, before.Length);
        ArgumentOutOfRangeException.ThrowIfLessThan(length, before.Length);

        // The checksum of an exclusive-or is the exclusive-or of the checksums, and each zero byte after it multiplies by x^8.
        ulong difference = Append(0, before) ^ Append(0, after);
        ulong factor = 1UL << 63;
        ulong power = PowerOfX(8);
        for (ulong zeros = (ulong)(length - before.Length); zeros != 0; zeros >>= 1)
        {
            if ((zeros & 1) != 0)
                factor = Multiply(factor, power);
            power = Multiply(power, power);
        }

        return crc ^ Multiply(difference, factor);
    }

    /// <summary>As <see cref="Append"/>, without the processor's carry-less multiplication.</summary>
    internal static ulong AppendByTables(ulong crc, ReadOnlySpan<byte> bytes)
    {
        ReadOnlySpan<ulong> tables = Tables;
        while (bytes.Length >= Slices)
        {
            crc ^= BinaryPrimitives.ReadUInt64LittleEndian(bytes);
            crc =
                tables[(7 << 8) | (int)(byte)crc]
                ^ tables[(6 << 8) | (int)(byte)(crc >> 8)]
                ^ tables[(5 << 8) | (int)(byte)(crc >> 16)]
                ^ tables[(4 << 8) | (int)(byte)(crc >> 24)]
                ^ tables[(3 << 8) | (int)(byte)(crc >> 32)]
                ^ tables[(2 << 8) | (int)(byte)(crc >> 40)]
                ^ tables[(1 << 8) | (int)(byte)(crc >> 48)]
                ^ tables[(int)(crc >> 56)];
            bytes = bytes[Slices..];
        }

        foreach (byte each in bytes)
            crc = tables[(byte)(crc ^ each)] ^ (crc >> 8);
        return crc;
    }

    // Lanes are advanced past the bytes that follow and added to them; the one that remains has the checksum of everything.
    private static ulong Fold(ulong crc, ReadOnlySpan<Vector128<ulong>> lanes)
    {
        Vector128<ulong> sum =
            Pclmulqdq.V512.IsSupported && lanes.Length >= 4 * LanesInVector ? FoldVectors(crc, ref lanes) : FoldLanes(crc, ref lanes);
        foreach (Vector128<ulong> lane in lanes)
            sum = Advance(sum, AheadByLane) ^ lane;
        Span<byte> rest = stackalloc byte[LaneBytes];
        sum.AsByte().CopyTo(rest);
        return AppendByTables(0, rest);
    }

    // Four lanes of 16 bytes at once.
    private static Vector128<ulong> FoldLanes(ulong crc, ref ReadOnlySpan<Vector128<ulong>> lanes)
    {
        Vector128<ulong> a = lanes[0] ^ Vector128.CreateScalar(crc);
        Vector128<ulong> b = lanes[1];
        Vector128<ulong> c = lanes[2];
        Vector128<ulong> d = lanes[3];
        lanes = lanes[4..];
        Vector128<ulong> ahead = AheadByRound;
        while (lanes.Length >= 4)
        {
            a = Advance(a, ahead) ^ lanes[0];
            b = Advance(b, ahead) ^ lanes[1];
            c = Advance(c, ahead) ^ lanes[2];
            d = Advance(d, ahead) ^ lanes[3];
            lanes = lanes[4..];
        }

        ahead = AheadByLane;
        a = Advance(a, ahead) ^ b;
        a = Advance(a, ahead) ^ c;
        return Advance(a, ahead) ^ d;
    }

    // Four vectors of four lanes at once.
    private static Vector128<ulong> FoldVectors(ulong crc, ref ReadOnlySpan<Vector128<ulong>> lanes)
    {
        ReadOnlySpan<Vector512<ulong>> vectors = MemoryMarshal.Cast<Vector128<ulong>, Vector512<ulong>>(lanes);
        lanes = lanes[(vectors.Length * LanesInVector)..];
        Vector512<ulong> a = vectors[0] ^ Vector512.CreateScalar(crc);
        Vector512<ulong> b = vectors[1];
        Vector512<ulong> c = vectors[2];
        Vector512<ulong> d = vectors[3];
        vectors = vectors[4..];
        Vector512<ulong> ahead = Repeat(AheadByWideRound);
        while (vectors.Length >= 4)
        {
            a = Advance(a, ahead) ^ vectors[0];
            b = Advance(b, ahead) ^ vectors[1];
            c = Advance(c, ahead) ^ vectors[2];
            d = Advance(d, ahead) ^ vectors[3];
            vectors = vectors[4..];
        }

        ahead = Repeat(AheadByRound);
        a = Advance(a, ahead) ^ b;
        a = Advance(a, ahead) ^ c;
        a = Advance(a, ahead) ^ d;
        foreach (Vector512<ulong> vector in vectors)
            a = Advance(a, ahead) ^ vector;
        Vector128<ulong> sum = a.GetLower().GetLower();
        sum = Advance(sum, AheadByLane) ^ a.GetLower().GetUpper();
        sum = Advance(sum, AheadByLane) ^ a.GetUpper().GetLower();
        return Advance(sum, AheadByLane) ^ a.GetUpper().GetUpper();
    }

    private static Vector512<ulong> Repeat(Vector128<ulong> lane)
    {
        var two = Vector256.Create(lane, lane);
        return Vector512.Create(two, two);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<ulong> Advance(Vector128<ulong> lane, Vector128<ulong> ahead) =>
        Pclmulqdq.CarrylessMultiply(lane, ahead, 0x00) ^ Pclmulqdq.CarrylessMultiply(lane, ahead, 0x11);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector512<ulong> Advance(Vector512<ulong> lanes, Vector512<ulong> ahead) =>
        Pclmulqdq.V512.CarrylessMultiply(lanes, ahead, 0x00) ^ Pclmulqdq.V512.CarrylessMultiply(lanes, ahead, 0x11);

    // x^n modulo the polynomial, reflected: bit 63 is x^0.
    private static ulong PowerOfX(int n)
    {
        ulong power = 1UL << 63;
        for (int i = 0; i < n; i++)
            power = (power >> 1) ^ ((power & 1) != 0 ? Polynomial : 0);
        return power;
    }

    // The product modulo the polynomial, reflected.
    private static ulong Multiply(ulong left, ulong right)
    {
        ulong product = 0;
        for (; left != 0; left <<= 1)
        {
            if ((left >> 63) != 0)
                product ^= right;
            right = (right >> 1) ^ ((right & 1) != 0 ? Polynomial : 0);
        }

        return product;
    }

    private static ulong[] BuildTables()
    {
        ulong[] tables = new ulong[Slices << 8];
        for (int i = 0; i < 256; i++)
        {
            ulong crc = (ulong)i;
            for (int bit = 0; bit < 8; bit++)
                crc = (crc >> 1) ^ ((crc & 1) != 0 ? Polynomial : 0);
            tables[i] = crc;
        }

        for (int i = 256; i < tables.Length; i++)
            tables[i] = tables[(byte)tables[i - 256]] ^ (tables[i - 256] >> 8);
        return tables;
    }
}
