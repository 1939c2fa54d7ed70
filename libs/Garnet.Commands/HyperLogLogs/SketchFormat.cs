// The string format of a HyperLogLog: header, sizes, the cached count. Stateless.
using System.Buffers.Binary;
using System.Numerics;

namespace Garnet.Commands.HyperLogLogs;

/// <summary>
/// A HyperLogLog is a string of "HYLL", a byte for the encoding (0 dense, 1 sparse), three unused bytes, the cached count as a
/// little-endian 64-bit number whose highest bit marks it as stale, and the registers. The format is that of Redis and Valkey.
/// </summary>
internal static class SketchFormat
{
    public const int Registers = 16_384;

    public const int HeaderBytes = 16;

    /// <summary>Length of a dense sketch: six bits per register.</summary>
    public const int DenseBytes = HeaderBytes + (Registers * 6 / 8);

    /// <summary>Maximum length of a valid sparse sketch: two bytes per register.</summary>
    public const int MaxSparseBytes = HeaderBytes + (2 * Registers);

    public const byte Dense = 0;

    public const byte Sparse = 1;

    private const int EncodingOffset = 4;
    private const int CountOffset = 8;
    private const uint Seed = 0xADC83B19;
    private const int IndexBits = 14;

    /// <summary>An empty sketch: one run of 16384 zeros.</summary>
    public static ReadOnlySpan<byte> Empty =>
        [(byte)'H', (byte)'Y', (byte)'L', (byte)'L', Sparse, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x7F, 0xFF];

    /// <summary>The error for a string that is not a sketch.</summary>
    public static ReadOnlySpan<byte> NotASketch => "WRONGTYPE Key is not a valid HyperLogLog string value."u8;

    /// <summary>The error for a sketch whose runs do not cover the registers.</summary>
    public static ReadOnlySpan<byte> Corrupt => "INVALIDOBJ Corrupted HLL object detected"u8;

    /// <summary>Whether a string has a sketch's header; the runs of a sparse one may still be corrupt.</summary>
    public static bool IsSketch(ReadOnlySpan<byte> value) =>
        value.Length >= HeaderBytes
        && value.StartsWith("HYLL"u8)
        && (value[EncodingOffset] == Sparse || (value[EncodingOffset] == Dense && value.Length == DenseBytes));

    /// <summary>Whether a sketch is dense.</summary>
    public static bool IsDense(ReadOnlySpan<byte> sketch) => sketch[EncodingOffset] == Dense;

    /// <summary>Writes the encoding.</summary>
    public static void SetEncoding(Span<byte> sketch, byte encoding) => sketch[EncodingOffset] = encoding;

    /// <summary>Reads the cached count; false if it is stale.</summary>
    public static bool TryGetCount(ReadOnlySpan<byte> sketch, out long count)
    {
        count = BinaryPrimitives.ReadInt64LittleEndian(sketch[CountOffset..]);
        return count >= 0;
    }

    /// <summary>Caches the count.</summary>
    public static void SetCount(Span<byte> sketch, long count) => BinaryPrimitives.WriteInt64LittleEndian(sketch[CountOffset..], count);

    /// <summary>Marks the cached count as stale.</summary>
    public static void InvalidateCount(Span<byte> sketch) => sketch[CountOffset + 7] |= 0x80;

    /// <summary>
    /// The register of an element and the value it must have: the number of zeros below the lowest set bit of the hash above the index
    /// bits, plus one.
    /// </summary>
    public static (int Register, int Value) Locate(ReadOnlySpan<byte> element)
    {
        ulong hash = MurmurHash.Hash64A(element, Seed);
        ulong rest = (hash >> IndexBits) | (1UL << (64 - IndexBits));
        return ((int)(hash & (Registers - 1)), BitOperations.TrailingZeroCount(rest) + 1);
    }
}
