// The layout of an index bucket: seven entries and a control word in one cache line. Pure functions.
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

namespace Garnet.Store.Index;

/// <summary>Finds the parts of a bucket; <see cref="BucketWord"/> and <see cref="IndexEntry"/> say what they hold.</summary>
internal static unsafe class BucketLayout
{
    /// <summary>Size of a bucket.</summary>
    public const int Bytes = 64;

    /// <summary>Entries of a bucket, before its control word.</summary>
    public const int Entries = 7;

    /// <summary>The control word of a bucket.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long* Word(byte* bucket) => (long*)bucket + Entries;

    /// <summary>Bit i is set when entry i of a bucket has the tag (an empty entry may appear to have tag 0).</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint Match(byte* bucket, uint tag)
    {
        // Also used by readers without a latch: a torn load can only hide or invent a match, and both are detected, by the version and by
        // re-reading the entry.
        var wanted = Vector256.Create((ulong)tag);
        var low = Vector256.ShiftRightLogical(Vector256.Load((ulong*)bucket), 48);
        var high = Vector256.ShiftRightLogical(Vector256.Load((ulong*)bucket + 4), 48);
        return (
                Vector256.Equals(low, wanted).ExtractMostSignificantBits()
                | (Vector256.Equals(high, wanted).ExtractMostSignificantBits() << 4)
            ) & 0x7F;
    }
}
