// How long single inserts take while the index grows from nothing: a histogram, not an average. One thread.
using System.Diagnostics;
using Garnet.Store;

namespace Garnet.Microbenchmarks;

/// <summary>
/// Inserts keys one by one and counts each insert in a bucket of its duration by the wall clock, so pauses made by the system's scheduler are in it, too:
/// run it on a quiet machine.
/// </summary>
internal static class GrowthHistogram
{
    private static readonly double[] UpperMicroseconds = [1, 10, 100, 250, 500, 1000, 2000, 5000, 10_000, double.PositiveInfinity];

    /// <summary>Runs with the given number of keys and prints the table.</summary>
    public static void Run(long keys)
    {
        using HybridLogStore store = new(new StoreOptions(), TimeProvider.System);
        store.StartMaintenance();
        using StoreSession session = store.OpenSession();
        long[] wall = new long[UpperMicroseconds.Length];
        Span<byte> key = stackalloc byte[StoreBenchmarks.KeyBytes];
        Span<byte> value = stackalloc byte[32];
        long start = Stopwatch.GetTimestamp();
        for (long i = 0; i < keys; i++)
        {
            StoreBenchmarks.WriteKey(key, (int)i);
            long before = Stopwatch.GetTimestamp();
            session.EnterBatch();
            RecordHandle record = session.Open(key, session.Hash(key));
            record.Set(value);
            session.EndCommand();
            session.LeaveBatch();
            double microseconds = Stopwatch.GetElapsedTime(before).TotalMicroseconds;
            wall[BucketOf(microseconds)]++;
        }

        double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
        Console.WriteLine($"{keys:N0} keys inserted in {seconds:F1} s, {store.Statistics.IndexBytes / (double)keys:F1} bytes of index a key");
        Console.WriteLine();
        Console.WriteLine("| one insert took | inserts | share |");
        Console.WriteLine("|---|---|---|");
        for (int i = 0; i < wall.Length; i++)
        {
            string range = i == wall.Length - 1 ? $"over {UpperMicroseconds[i - 1]:N0} us" : $"up to {UpperMicroseconds[i]:N0} us";
            Console.WriteLine($"| {range} | {wall[i]:N0} | {100.0 * wall[i] / keys:F6} % |");
        }
    }

    private static int BucketOf(double microseconds)
    {
        int bucket = 0;
        while (microseconds > UpperMicroseconds[bucket])
            bucket++;
        return bucket;
    }
}
