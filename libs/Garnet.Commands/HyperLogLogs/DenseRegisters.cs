// The registers of a dense sketch: 16384 numbers of six bits, the first in the lowest bits of the first byte. Stateless.
using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Garnet.Commands.HyperLogLogs;

/// <summary>Reads and writes packed registers, singly or eight at a time; "plain" registers take one byte each.</summary>
internal static class DenseRegisters
{
    // Eight registers take six bytes.
    private const int GroupBytes = 6;
    private const int GroupRegisters = 8;
    private const int Groups = SketchFormat.Registers / GroupRegisters;

    /// <summary>Reads one register.</summary>
    public static int Get(ReadOnlySpan<byte> packed, int register)
    {
        int bit = register * 6;
        int index = bit >> 3;
        int shift = bit & 7;
        int both = packed[index] >> shift;
        if (shift > 2)
            both |= packed[index + 1] << (8 - shift);
        return both & 63;
    }

    /// <summary>Writes one register.</summary>
    public static void Set(Span<byte> packed, int register, int value)
    {
        int bit = register * 6;
        int index = bit >> 3;
        int shift = bit & 7;
        packed[index] = (byte)((packed[index] & ~(63 << shift)) | (value << shift));
        if (shift > 2)
            packed[index + 1] = (byte)((packed[index + 1] & ~(63 >> (8 - shift))) | (value >> (8 - shift)));
    }

    /// <summary>Adds the registers to a histogram of their values.</summary>
    public static void AddTo(Span<int> histogram, ReadOnlySpan<byte> packed)
    {
        for (int i = 0; i < Groups; i++)
        {
            ulong group = Spread(packed, i);
            for (int j = 0; j < GroupRegisters; j++)
            {
                histogram[(int)(group & 63)]++;
                group >>= 8;
            }
        }
    }

    /// <summary>
    /// Raises plain registers to the maximum of themselves and the packed ones. Assumes little-endian, as the store does.
    /// </summary>
    public static void MergeInto(Span<byte> plain, ReadOnlySpan<byte> packed)
    {
        Span<Vector256<byte>> vectors = MemoryMarshal.Cast<byte, Vector256<byte>>(plain);
        for (int i = 0; i < vectors.Length; i++)
        {
            var groups = Vector256.Create(
                Spread(packed, 4 * i),
                Spread(packed, (4 * i) + 1),
                Spread(packed, (4 * i) + 2),
                Spread(packed, (4 * i) + 3)
            );
            vectors[i] = Vector256.Max(vectors[i], groups.AsByte());
        }
    }

    /// <summary>Packs plain registers.</summary>
    public static void Pack(Span<byte> packed, ReadOnlySpan<byte> plain)
    {
        for (int i = 0; i < Groups; i++)
        {
            ulong group = Join(BinaryPrimitives.ReadUInt64LittleEndian(plain[(i * GroupRegisters)..]));
            Span<byte> target = packed.Slice(i * GroupBytes, GroupBytes);
            BinaryPrimitives.WriteUInt32LittleEndian(target, (uint)group);
            BinaryPrimitives.WriteUInt16LittleEndian(target[4..], (ushort)(group >> 32));
        }
    }

    // Spreads eight packed registers to one byte each: splits halves, then quarters, then eighths.
    private static ulong Spread(ReadOnlySpan<byte> packed, int group)
    {
        ReadOnlySpan<byte> bytes = packed.Slice(group * GroupBytes, GroupBytes);
        ulong word = BinaryPrimitives.ReadUInt32LittleEndian(bytes) | ((ulong)BinaryPrimitives.ReadUInt16LittleEndian(bytes[4..]) << 32);
        word = (word & 0x0000_0000_00FF_FFFF) | ((word & 0x0000_FFFF_FF00_0000) << 8);
        word = (word & 0x0000_0FFF_0000_0FFF) | ((word & 0x00FF_F000_00FF_F000) << 4);
        return (word & 0x003F_003F_003F_003F) | ((word & 0x0FC0_0FC0_0FC0_0FC0) << 2);
    }

    // The inverse of Spread.
    private static ulong Join(ulong word)
    {
        word = (word & 0x003F_003F_003F_003F) | ((word >> 2) & 0x0FC0_0FC0_0FC0_0FC0);
        word = (word & 0x0000_0FFF_0000_0FFF) | ((word >> 4) & 0x00FF_F000_00FF_F000);
        return (word & 0x0000_0000_00FF_FFFF) | ((word >> 8) & 0x0000_FFFF_FF00_0000);
    }
}
