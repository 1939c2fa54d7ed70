// A histogram, not an average, of the durations of inserts while the index grows from nothing. One thread.
using System.Buffers.Text;
using System.Diagnostics;
using Garnet.Store;

namespace Garnet.Microbenchmarks;

/// <summary>
/// Inserts keys one by one and counts each insert in a bucket of its duration: once by the wall clock, and once without the time during
/// which the thread was ready to run but had no processor (as reported by Linux), because other programs cause that. That time is read
/// every thousand inserts and after each slow one, so part of it may be attributed to a slightly later insert.
/// </summary>
internal static class GrowthHistogram
{
    private const int InsertsPerLook = 1000;
    private const double SlowMicroseconds = 100;
    private static readonly double[] UpperMicroseconds = [1, 10, 100, 250, 500, 1000, 2000, 5000, 10_000, double.PositiveInfinity];

    /// <summary>Runs with the given number of keys and prints the table.</summary>
    public static void Run(long keys)
    {
        using HybridLogStore store = new(new StoreOptions(), TimeProvider.System);
        store.Maintenance.Start();
        using StoreSession session = store.OpenSession();
        long[] wall = new long[UpperMicroseconds.Length],
            own = new long[UpperMicroseconds.Length];
        double waited = ProcessorWaitMicroseconds();
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
            double waitedNow = microseconds > SlowMicroseconds || i % InsertsPerLook == 0 ? ProcessorWaitMicroseconds() : waited;
            own[BucketOf(Math.Max(0, microseconds - (waitedNow - waited)))]++;
            waited = waitedNow;
        }

        double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
        Console.WriteLine(
            $"{keys:N0} keys inserted in {seconds:F1} s, {store.Statistics.IndexBytes / (double)keys:F1} bytes of index a key"
        );
        Console.WriteLine();
        Console.WriteLine("| one insert took | inserts | share | less waiting for a processor |");
        Console.WriteLine("|---|---|---|---|");
        for (int i = 0; i < wall.Length; i++)
        {
            string range = i == wall.Length - 1 ? $"over {UpperMicroseconds[i - 1]:N0} us" : $"up to {UpperMicroseconds[i]:N0} us";
            Console.WriteLine($"| {range} | {wall[i]:N0} | {100.0 * wall[i] / keys:F6} % | {own[i]:N0} |");
        }
    }

    // The second number of schedstat: nanoseconds during which the thread was ready to run but not running. The caller is the only active
    // thread, so thread-self is the right file.
    private static double ProcessorWaitMicroseconds()
    {
        if (!OperatingSystem.IsLinux())
            return 0;
        using FileStream file = new("/proc/thread-self/schedstat", FileMode.Open, FileAccess.Read, FileShare.ReadWrite, bufferSize: 0);
        Span<byte> text = stackalloc byte[128];
        text = text[..file.Read(text)];
        text = text[(text.IndexOf((byte)' ') + 1)..];
        return Utf8Parser.TryParse(text, out long nanoseconds, out _) ? nanoseconds / 1000.0 : 0;
    }

    private static int BucketOf(double microseconds)
    {
        int bucket = 0;
        while (microseconds > UpperMicroseconds[bucket])
            bucket++;
        return bucket;
    }
}
