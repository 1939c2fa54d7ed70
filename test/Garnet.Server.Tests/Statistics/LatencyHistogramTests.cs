// The bucket boundaries of the latency histogram.
using Garnet.Engine.Counters;
using Xunit;

namespace Garnet.Server.Tests.Statistics;

public sealed class LatencyHistogramTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(127)]
    [InlineData(128)]
    [InlineData(255)]
    [InlineData(256)]
    [InlineData(1000)]
    [InlineData(123_456_789)]
    [InlineData(1_000_000_000)]
    [InlineData(long.MaxValue)]
    public void A_percentile_is_right_within_one_percent(long nanoseconds)
    {
        LatencyHistogram histogram = new();
        histogram.Add(nanoseconds, 3);
        long exact = Math.Clamp(nanoseconds, 1, 1_000_000_000);
        Assert.InRange(histogram.AtPercentile(50), exact, exact * 1.01);
        Assert.Equal(3, histogram.Calls);
    }

    [Fact]
    public void Percentiles_follow_the_order_of_the_calls()
    {
        LatencyHistogram histogram = new();
        for (int i = 1; i <= 100; i++)
            histogram.Add(i, 1);
        Assert.Equal(1, histogram.AtPercentile(0));
        Assert.Equal(50, histogram.AtPercentile(50));
        Assert.Equal(99, histogram.AtPercentile(99));
        Assert.Equal(100, histogram.AtPercentile(100));
    }

    [Fact]
    public void Buckets_have_the_same_bounds_as_in_other_servers()
    {
        LatencyHistogram histogram = new();
        for (long nanoseconds = 1; nanoseconds < 2_000_000_000; nanoseconds *= 2)
            histogram.Add(nanoseconds, 1);
        Assert.Equal(
            [1, 2, 4, 8, 16, 33, 66, 132, 264, 528, 1056, 2113, 4227, 8454, 16908, 33816, 67633, 135266, 270532, 541065, 1082130],
            histogram.Doublings().Select(each => each.Microseconds)
        );
        Assert.Equal(Enumerable.Range(11, 21).Select(calls => (long)calls), histogram.Doublings().Select(each => each.Calls));
    }
}
