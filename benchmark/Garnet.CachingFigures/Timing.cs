// Times calls. One caller.
using System.Diagnostics;
using System.Globalization;

namespace Garnet.CachingFigures;

/// <summary>Prints the median over rounds of a loop, or percentiles of single calls.</summary>
internal static class Timing
{
    private const int Rounds = 7;
    private const int CompareRounds = 15;

    /// <summary>The median time of a call, and what it allocates.</summary>
    public static async Task LoopAsync(string name, int calls, Func<ValueTask> call)
    {
        double[] times = new double[Rounds];
        long allocated = 0;
        for (int round = -1; round < Rounds; round++)
        {
            long before = GC.GetTotalAllocatedBytes();
            long start = Stopwatch.GetTimestamp();
            for (int i = 0; i < calls; i++)
                await call();
            if (round >= 0)
                times[round] = Stopwatch.GetElapsedTime(start).TotalNanoseconds / calls;
            allocated = GC.GetTotalAllocatedBytes() - before;
        }

        Array.Sort(times);
        Print(name, $"{times[Rounds / 2]:N0} ns (from {times[0]:N0} to {times[^1]:N0}), {allocated / calls:N0} B");
    }

    /// <summary>The median and the 99th percentile of single calls, and what one allocates in the mean.</summary>
    public static async Task EachAsync(string name, int calls, Func<int, ValueTask> call)
    {
        double[] times = new double[calls];
        long before = GC.GetTotalAllocatedBytes();
        for (int i = 0; i < calls; i++)
        {
            long start = Stopwatch.GetTimestamp();
            await call(i);
            times[i] = Stopwatch.GetElapsedTime(start).TotalMicroseconds;
        }

        long allocated = (GC.GetTotalAllocatedBytes() - before) / calls;
        Array.Sort(times);
        Print(name, $"p50 {times[calls / 2]:N1} us, p99 {times[(int)(calls * 0.99)]:N1} us, {allocated:N0} B");
    }

    /// <summary>
    /// The median of single calls of each kind, what one allocates in the mean, and the median over rounds of its time in that of the first
    /// kind: rounds alternate, so that what else the machine does meanwhile falls on all.
    /// </summary>
    public static async Task CompareAsync(int calls, params (string Name, Func<ValueTask> Call)[] kinds)
    {
        double[][] medians = [.. kinds.Select(static _ => new double[CompareRounds])];
        long[] allocated = new long[kinds.Length];
        for (int round = -1; round < CompareRounds; round++)
        {
            for (int kind = 0; kind < kinds.Length; kind++)
            {
                long before = GC.GetTotalAllocatedBytes();
                double median = await MedianAsync(calls, kinds[kind].Call);
                if (round < 0)
                    continue;
                medians[kind][round] = median;
                allocated[kind] += GC.GetTotalAllocatedBytes() - before;
            }
        }

        for (int kind = 0; kind < kinds.Length; kind++)
        {
            double ratio = Median([.. medians[kind].Select((median, round) => median / medians[0][round])]);
            double best = medians[kind].Min();
            Print(
                kinds[kind].Name,
                $"{Median(medians[kind]):N1} us (from {best:N1}), x {ratio:N2}, {allocated[kind] / CompareRounds / calls:N0} B"
            );
        }
    }

    private static async Task<double> MedianAsync(int calls, Func<ValueTask> call)
    {
        double[] times = new double[calls];
        for (int i = 0; i < calls; i++)
        {
            long start = Stopwatch.GetTimestamp();
            await call();
            times[i] = Stopwatch.GetElapsedTime(start).TotalMicroseconds;
        }

        return Median(times);
    }

    private static double Median(double[] values)
    {
        Array.Sort(values);
        return values[values.Length / 2];
    }

    /// <summary>Prints a line.</summary>
    public static void Print(string name, FormattableString figures) =>
        Console.WriteLine($"{name, -50} {figures.ToString(CultureInfo.InvariantCulture)}");
}
