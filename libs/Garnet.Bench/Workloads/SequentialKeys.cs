// One key after the other. One thread.
using Garnet.Bench.Options;

namespace Garnet.Bench.Workloads;

/// <summary>Numbers from the first to the last, then again from the first.</summary>
internal sealed class SequentialKeys(long first, long count) : KeySequence
{
    private long _next;

    /// <summary>The part of the range that belongs to one of several connections; where keys are fewer, some share one.</summary>
    public static SequentialKeys PartOf(KeyOptions keys, int connection, int connections) =>
        keys.Count < connections ? new SequentialKeys(keys.Minimum + connection % keys.Count, 1) : ShareOf(keys, connection, connections);

    /// <summary>
    /// The part of the range that belongs to one of several threads that send one request for each key: as many keys as the thread has
    /// requests. One that has none gets a key that it does not use.
    /// </summary>
    public static SequentialKeys ShareOf(KeyOptions keys, int thread, int threads)
    {
        long begin = Boundary(keys.Count, thread, threads);
        return new SequentialKeys(keys.Minimum + begin, Math.Max(Boundary(keys.Count, thread + 1, threads) - begin, 1));
    }

    /// <inheritdoc/>
    public override long Next()
    {
        long number = first + _next;
        if (++_next == count)
            _next = 0;
        return number;
    }

    private static long Boundary(long count, int part, int parts) => (long)((Int128)count * part / parts);
}
