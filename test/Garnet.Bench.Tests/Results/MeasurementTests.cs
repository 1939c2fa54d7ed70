// Medians, the comparison and the live line.
using Garnet.Bench.Results;
using Xunit;

namespace Garnet.Bench.Tests.Results;

public sealed class MeasurementTests
{
    [Theory]
    [InlineData(3, 3.0)]
    [InlineData(2, 3.0, 1.0, 2.0)]
    [InlineData(2.5, 4.0, 1.0, 2.0, 3.0)]
    public void The_median_lies_in_the_middle(double expected, params double[] numbers) =>
        Assert.Equal(expected, Measurement.Median(numbers));

    [Fact]
    public void The_live_line_shows_phase_and_progress()
    {
        Assert.Equal("get [....................] warm-up 0 requests/s, 0 in all", LiveLine.Format("get", true, 0, 0, 0));
        Assert.Equal(
            "get [##########..........]   50 %   1,234 requests/s, 99,999 in all",
            LiveLine.Format("get", false, 0.5, 1234, 99_999)
        );
        Assert.Contains("100 %", LiveLine.Format("get", false, 7, 0, 0), StringComparison.Ordinal);
    }
}
