// The hash function of HyperLogLogs: Austin Appleby's MurmurHash2, 64-bit variant A (public domain). Stateless.
using System.Buffers.Binary;

namespace Garnet.Commands.HyperLogLogs;

/// <summary>Part of the stored format: with another hash function, elements of existing sketches would be counted twice.</summary>
internal static class MurmurHash
{
    private const ulong Multiplier = 0xC6A4A7935BD1E995;
    private const int Shift = 47;

    /// <summary>Hashes bytes with a seed.</summary>
    public static ulong Hash64A(ReadOnlySpan<byte> bytes, uint seed)
    {
        ulong hash = seed ^ ((ulong)bytes.Length * Multiplier);
        while (bytes.Length >= sizeof(ulong))
        {
            ulong word = BinaryPrimitives.ReadUInt64LittleEndian(bytes) * Multiplier;
            word ^= word >> Shift;
            hash = (hash ^ (word * Multiplier)) * Multiplier;
            bytes = bytes[sizeof(ulong)..];
        }

        if (!bytes.IsEmpty)
        {
            ulong rest = 0;
            for (int i = bytes.Length - 1; i >= 0; i--)
                rest = (rest << 8) | bytes[i];
            hash = (hash ^ rest) * Multiplier;
        }

        hash = (hash ^ (hash >> Shift)) * Multiplier;
        return hash ^ (hash >> Shift);
    }
}
