// The latency distribution of a command. Written by one thread; concurrent readers may miss the newest calls.
using System.Numerics;

namespace Garnet.Engine.Counters;

/// <summary>
/// Counts calls by their nanoseconds from 1 to a second (longer ones count as a second) in steps of less than one percent: each power of
/// two from 128 on has 128 steps.
/// </summary>
internal sealed class LatencyHistogram
{
    private const int StepBits = 7;
    private const int LongestBits = 30;
    private const long LongestNs = 1_000_000_000;
    private const int Steps = (LongestBits - StepBits + 1) << StepBits;

    private readonly long[] _counts = new long[Steps];

    /// <summary>Calls counted.</summary>
    public long Calls => _counts.Sum();

    /// <summary>Counts calls with this latency.</summary>
    public void Add(long nanoseconds, long calls) => _counts[StepOf(nanoseconds)] += calls;

    /// <summary>Adds the counts of another histogram.</summary>
    public void Add(LatencyHistogram other)
    {
        for (int step = 0; step < Steps; step++)
            _counts[step] += other._counts[step];
    }

    /// <summary>Clears all counts.</summary>
    public void Clear() => Array.Clear(_counts);

    /// <summary>The given percentile in nanoseconds, rounded up to the end of its step; 0 when there are no calls.</summary>
    public long AtPercentile(double percent)
    {
        long wanted = Math.Max(1, (long)((percent / 100 * Calls) + 0.5));
        long seen = 0;
        for (int step = 0; step < Steps; step++)
        {
            seen += _counts[step];
            if (seen >= wanted)
                return LastOf(step);
        }

        return 0;
    }

    /// <summary>
    /// For each doubling from 1024 ns on with any calls: its upper bound in microseconds, and the number of calls up to it.
    /// </summary>
    public List<(long Microseconds, long Calls)> Doublings()
    {
        var result = new List<(long Microseconds, long Calls)>();
        long seen = 0,
            told = 0;
        for (int step = 0; step < Steps; step++)
        {
            seen += _counts[step];
            // A doubling ends with the step that begins at the power of two.
            bool isEnd = step == Steps - 1 || (step >= StepOf(1024) && (step & ((1 << StepBits) - 1)) == 0);
            if (isEnd && seen > told)
            {
                result.Add((LastOf(step == Steps - 1 ? Steps : step) / 1000, seen));
                told = seen;
            }
        }

        return result;
    }

    /// <summary>For each bound, in ascending order, the number of calls up to it, to the precision of a step.</summary>
    public long[] CallsUpTo(ReadOnlySpan<long> boundsNs)
    {
        long[] result = new long[boundsNs.Length];
        long seen = 0;
        int step = 0;
        for (int i = 0; i < result.Length; i++)
        {
            for (int last = StepOf(boundsNs[i]); step <= last; step++)
                seen += _counts[step];
            result[i] = seen;
        }

        return result;
    }

    private static int StepOf(long nanoseconds)
    {
        long clamped = Math.Clamp(nanoseconds, 1, LongestNs);
        int shift = Math.Max(0, BitOperations.Log2((ulong)clamped) - StepBits);
        return (shift << StepBits) + (int)(clamped >> shift);
    }

    private static long LastOf(int step)
    {
        int shift = Math.Max(0, (step >> StepBits) - 1);
        return ((step - ((long)shift << StepBits) + 1) << shift) - 1;
    }
}
