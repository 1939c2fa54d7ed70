// A record's access byte as a Morris counter of uses (1978): each further increment is less likely. Written without a latch; a lost
// increment is harmless.
using Garnet.Store.Records;

namespace Garnet.Store.Eviction;

/// <summary>
/// As in Valkey's LFU: a new key starts at 5, so that it can accumulate uses before it becomes a candidate; a use increments the counter
/// with probability 1 / ((counter - 5) * factor + 1).
/// </summary>
internal static unsafe class AccessFrequency
{
    /// <summary>The counter of a new key.</summary>
    public const byte First = 5;

    [ThreadStatic]
    private static uint t_random;

    /// <summary>Counts a use of a record.</summary>
    public static void Count(byte* record, int logFactor)
    {
        byte counter = record[RecordHeader.AccessOffset];
        if (counter == byte.MaxValue)
            return;

        long steps = Math.Max(0, counter - First) * (long)logFactor;
        if (steps == 0 || NextRandom() < (uint)((1L << 32) / (steps + 1)))
            record[RecordHeader.AccessOffset] = (byte)(counter + 1);
    }

    private static uint NextRandom()
    {
        uint x = t_random;
        if (x == 0)
            x = (uint)Random.Shared.Next() | 1;

        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        return t_random = x;
    }
}
