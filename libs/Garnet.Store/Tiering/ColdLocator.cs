// Where a value on disk is: what a record holds in the place of the pointer to a block. Pure functions.
using System.Diagnostics;

namespace Garnet.Store.Tiering;

/// <summary>
/// 40 bits of position and 20 bits of size, both in units of <see cref="Unit"/> bytes. The highest bit distinguishes it from a pointer, of
/// which that bit is never set in a process.
/// </summary>
/// <param name="Bits">As a record holds it.</param>
internal readonly record struct ColdLocator(long Bits)
{
    /// <summary>Objects begin at multiples of this and take multiples of it.</summary>
    public const int Unit = 16;

    /// <summary>The most that an object may take.</summary>
    public const int MaxBytes = ((1 << SizeBits) - 1) * Unit;

    /// <summary>The most that all segments may take.</summary>
    public const long MaxTierBytes = (1L << PositionBits) * Unit;

    private const int PositionBits = 40;
    private const int SizeBits = 20;

    /// <summary>The locator of an object.</summary>
    /// <param name="position">Its first byte, from the beginning of the first segment.</param>
    /// <param name="bytes">What it takes.</param>
    public static ColdLocator Of(long position, int bytes)
    {
        Debug.Assert(position % Unit == 0 && bytes % Unit == 0, "An object is not aligned.");
        Debug.Assert((ulong)position < MaxTierBytes && (uint)bytes <= MaxBytes, "A field of a locator overflows.");
        return new(long.MinValue | ((long)(bytes / Unit) << PositionBits) | (position / Unit));
    }

    /// <summary>Whether a word in the place of a block's pointer is a locator.</summary>
    public static bool IsLocator(long word) => word < 0;

    /// <summary>The object's first byte, from the beginning of the first segment.</summary>
    public long Position => (Bits & ((1L << PositionBits) - 1)) * Unit;

    /// <summary>What the object takes, in bytes.</summary>
    public int Bytes => (int)((Bits >> PositionBits) & ((1 << SizeBits) - 1)) * Unit;
}
