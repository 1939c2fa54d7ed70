// The control word of an index bucket, the last of its eight words: latch, observer bit, local depth, overflow bucket, version.
using System.Runtime.CompilerServices;

namespace Garnet.Store.Index;

/// <summary>
/// Bits: 0 latch; 1 observed; 2-6 local depth (0: the bucket is not in use); 7-31 first overflow bucket; 32-63 version, incremented by
/// every release of the latch.
/// </summary>
internal static class BucketWord
{
    public const long Latched = 1;
    public const long Observed = 2;
    public const long OneVersion = 1L << 32;
    public const uint MaxOverflow = (1 << 25) - 1;
    private const long OverflowMask = (long)MaxOverflow << 7;

    /// <summary>True when the bucket with this word is responsible for a hash.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool Owns(long word, ulong hash, long bucket)
    {
        int depth = Depth(word);
        return (hash & ((1UL << depth) - 1)) == (ulong)bucket && depth != 0;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Depth(long word) => (int)(word >> 2) & 31;

    public static long WithDepth(long word, int depth) => (word & ~(31L << 2)) | ((long)depth << 2);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint Overflow(long word) => (uint)(word >> 7) & MaxOverflow;

    public static long WithOverflow(long word, uint overflow) => (word & ~OverflowMask) | ((long)overflow << 7);
}
