// Distributions of keys. The bounds are six standard deviations of what is counted, so that a seed in 500 million fails by chance.
using Garnet.Bench.Options;
using Garnet.Bench.Workloads;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Bench.Tests.Workloads;

public sealed class KeySequenceTests(ITestOutputHelper output)
{
    private const int Draws = 200_000;
    private const double Deviations = 6;

    [Fact]
    public void Uniform_keys_are_all_alike()
    {
        var keys = new KeyOptions { Minimum = 50, Maximum = 149 };
        long[] counts = Count(KeyPattern.Uniform, keys);
        Assert.All(counts, count => AssertShare(count, 1.0 / 100));
    }

    [Theory]
    [InlineData(0.5)]
    [InlineData(0.99)]
    [InlineData(1)]
    [InlineData(1.000001)]
    [InlineData(2.5)]
    public void Zipf_keys_have_the_shares_of_their_ranks(double exponent)
    {
        var keys = new KeyOptions
        {
            Minimum = 10,
            Maximum = 1009,
            ZipfExponent = exponent,
        };
        long[] counts = Count(KeyPattern.Zipf, keys);
        double sum = Enumerable.Range(1, counts.Length).Sum(rank => Math.Pow(rank, -exponent));
        for (int rank = 1; rank <= counts.Length; rank++)
            AssertShare(counts[rank - 1], Math.Pow(rank, -exponent) / sum);
    }

    [Fact]
    public void Zipf_keys_of_the_largest_range_stay_in_it()
    {
        var keys = new KeyOptions { Minimum = 0, Maximum = 999_999_999_999 };
        var zipf = KeySequence.Create(KeyPattern.Zipf, keys, Random(), 0, 1);
        for (int i = 0; i < Draws; i++)
            Assert.InRange(zipf.Next(), keys.Minimum, keys.Maximum);
    }

    // Mean: deviation / sqrt(n). Variance of n draws: variance * sqrt(2 / n).
    [Fact]
    public void Gaussian_keys_have_their_median_and_deviation()
    {
        const double Deviation = 1000;
        var keys = new KeyOptions
        {
            Minimum = 0,
            Maximum = 100_000,
            Median = 40_000,
            StandardDeviation = Deviation,
        };
        var gaussian = KeySequence.Create(KeyPattern.Gaussian, keys, Random(), 0, 1);
        double[] drawn = [.. Enumerable.Range(0, Draws).Select(_ => (double)gaussian.Next())];
        double mean = drawn.Average();
        double variance = drawn.Sum(value => (value - mean) * (value - mean)) / Draws;
        double meanError = Deviations * Deviation / Math.Sqrt(Draws);
        double varianceError = Deviations * Deviation * Deviation * Math.Sqrt(2.0 / Draws);
        Assert.InRange(mean, 40_000 - meanError, 40_000 + meanError);
        // Rounding to whole numbers adds a twelfth.
        Assert.InRange(variance, Deviation * Deviation - varianceError, Deviation * Deviation + 1.0 / 12 + varianceError);
    }

    [Theory]
    [InlineData(5, null, null)]
    [InlineData(1, null, null)]
    [InlineData(10, 1_000_000.0, null)]
    [InlineData(1000, 0.001, 0.0)]
    public void Gaussian_keys_stay_in_their_range(long count, double? deviation, double? median)
    {
        var keys = new KeyOptions
        {
            Minimum = 0,
            Maximum = count - 1,
            StandardDeviation = deviation,
            Median = median,
        };
        var gaussian = KeySequence.Create(KeyPattern.Gaussian, keys, Random(), 0, 1);
        for (int i = 0; i < 10_000; i++)
            Assert.InRange(gaussian.Next(), 0, count - 1);
    }

    [Fact]
    public void Sequential_keys_begin_again_after_the_last()
    {
        var keys = new KeyOptions { Minimum = 3, Maximum = 5 };
        var sequence = KeySequence.Create(KeyPattern.Sequential, keys, Random(), 4, 9);
        Assert.Equal([3, 4, 5, 3, 4], Enumerable.Range(0, 5).Select(_ => sequence.Next()));
    }

    [Theory]
    [InlineData(100, 7)]
    [InlineData(7, 7)]
    [InlineData(1_000, 1)]
    public void Parallel_connections_divide_the_keys(int count, int connections)
    {
        var keys = new KeyOptions { Minimum = 1, Maximum = count };
        var seen = new List<long>();
        for (int connection = 0; connection < connections; connection++)
        {
            var part = KeySequence.Create(KeyPattern.Parallel, keys, Random(), connection, connections);
            long first = part.Next();
            seen.Add(first);
            for (long key = part.Next(); key != first; key = part.Next())
                seen.Add(key);
        }

        Assert.Equal(Enumerable.Range(1, count).Select(static key => (long)key), seen);
    }

    [Fact]
    public void More_connections_than_keys_share_them()
    {
        var keys = new KeyOptions { Minimum = 1, Maximum = 2 };
        long[] first = [.. Enumerable.Range(0, 5).Select(c => KeySequence.Create(KeyPattern.Parallel, keys, Random(), c, 5).Next())];
        Assert.Equal([1, 2, 1, 2, 1], first);
    }

    // As --fill writes them: each thread has its share of the requests.
    [Theory]
    [InlineData(1, 4)]
    [InlineData(2, 4)]
    [InlineData(4, 4)]
    [InlineData(10, 4)]
    public void Threads_that_share_all_keys_write_each_once(int count, int threads)
    {
        var keys = new KeyOptions { Minimum = 5, Maximum = 4 + count };
        var written = new List<long>();
        for (int thread = 0; thread < threads; thread++)
        {
            var share = SequentialKeys.ShareOf(keys, thread, threads);
            for (int i = (count * (thread + 1) / threads) - (count * thread / threads); i > 0; i--)
                written.Add(share.Next());
        }

        Assert.Equal(Enumerable.Range(5, count).Select(static key => (long)key), written);
    }

    private SeededRandom Random() => new(TestSeed.Choose(output, 11), 0);

    private long[] Count(KeyPattern pattern, KeyOptions keys)
    {
        var sequence = KeySequence.Create(pattern, keys, Random(), 0, 1);
        long[] counts = new long[keys.Count];
        for (int i = 0; i < Draws; i++)
            counts[sequence.Next() - keys.Minimum]++;
        return counts;
    }

    // A count of n draws of a share p has the deviation sqrt(n p (1 - p)); one more for counts so small that they are not normal.
    private static void AssertShare(long count, double share)
    {
        double error = Deviations * Math.Sqrt(Draws * share * (1 - share)) + Deviations;
        Assert.InRange(count, Draws * share - error, Draws * share + error);
    }
}
