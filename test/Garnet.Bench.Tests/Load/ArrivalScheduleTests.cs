// Moments of an open loop. No clock: time is a number.
using Garnet.Bench.Load;
using Garnet.Bench.Options;
using Garnet.Bench.Workloads;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Bench.Tests.Load;

public sealed class ArrivalScheduleTests(ITestOutputHelper output)
{
    private const long Frequency = 1_000_000_000;

    [Fact]
    public void Uniform_moments_are_a_whole_distance_apart()
    {
        ArrivalSchedule schedule = Create(ArrivalPattern.Uniform, rate: 1000);
        Assert.Equal([500, 1_000_500, 2_000_500], Take(schedule, 3));
    }

    [Fact]
    public void Threads_take_turns()
    {
        var all = new List<long>();
        for (int thread = 0; thread < 4; thread++)
            all.AddRange(Take(Create(ArrivalPattern.Uniform, rate: 1000, thread, threads: 4), 25));
        Assert.Equal(Enumerable.Range(0, 100).Select(static i => 500 + i * 1_000_000L), all.Order());
    }

    // A third of a second cannot be written in binary; ten million of them would drift if they were added.
    [Fact]
    public void Uniform_moments_do_not_drift()
    {
        ArrivalSchedule schedule = Create(ArrivalPattern.Uniform, rate: 3_000_000);
        for (int i = 0; i < 9_000_000; i++)
            schedule.Advance();
        Assert.Equal(500 + 3 * Frequency, schedule.Next);
    }

    // n exponential distances have the mean 1/rate, with the deviation 1/(rate sqrt(n)).
    [Fact]
    public void Poisson_moments_have_the_rate_and_the_spread()
    {
        const int Count = 100_000;
        ArrivalSchedule schedule = Create(ArrivalPattern.Poisson, rate: 1000);
        long[] moments = [.. Take(schedule, Count)];
        double[] distances = [.. moments.Zip(moments.Skip(1), static (a, b) => (b - a) / 1e6)];
        double error = 6 / Math.Sqrt(Count);
        Assert.InRange(distances.Average(), 1 - error, 1 + error);
        // Exponential: a share of 1/e is longer than the mean.
        double longer = distances.Count(static distance => distance > 1) / (double)distances.Length;
        Assert.InRange(longer, 1 / Math.E - error / 2, 1 / Math.E + error / 2);
    }

    [Fact]
    public void Moments_to_come_are_counted()
    {
        ArrivalSchedule schedule = Create(ArrivalPattern.Uniform, rate: 1000);
        Assert.Equal(10, schedule.CountBefore(500 + 9_500_000));
        Assert.Equal(9, schedule.CountBefore(500 + 9_000_000));
        Assert.Equal(0, schedule.CountBefore(schedule.Next));
        Assert.Equal(0, schedule.CountBefore(0));
    }

    private static IEnumerable<long> Take(ArrivalSchedule schedule, int count)
    {
        for (int i = 0; i < count; i++)
        {
            yield return schedule.Next;
            schedule.Advance();
        }
    }

    private ArrivalSchedule Create(ArrivalPattern pattern, double rate, int thread = 0, int threads = 1) =>
        new(pattern, rate, thread, threads, start: 500, Frequency, new SeededRandom(TestSeed.Choose(output, 17), thread));
}
