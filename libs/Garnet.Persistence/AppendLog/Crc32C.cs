// CRC-32 with the Castagnoli polynomial, which processors compute in one instruction. Stateless; any thread.
using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.InteropServices;

namespace Garnet.Persistence.AppendLog;

/// <summary>The checksum of the log's frames (RFC 3720, appendix B.4).</summary>
internal static class Crc32C
{
    /// <summary>The checksum of some bytes.</summary>
    public static uint Compute(ReadOnlySpan<byte> bytes)
    {
        uint crc = uint.MaxValue;
        ReadOnlySpan<ulong> words = MemoryMarshal.Cast<byte, ulong>(bytes);
        foreach (ulong word in words)
            crc = BitOperations.Crc32C(crc, BitConverter.IsLittleEndian ? word : BinaryPrimitives.ReverseEndianness(word));
        foreach (byte rest in bytes[(words.Length * sizeof(ulong))..])
            crc = BitOperations.Crc32C(crc, rest);
        return ~crc;
    }
}
