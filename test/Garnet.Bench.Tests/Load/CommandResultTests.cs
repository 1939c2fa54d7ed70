// Latencies: percentiles of the histogram beside exact ones.
using Garnet.Bench.Load;
using Garnet.Bench.Workloads;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Bench.Tests.Load;

public sealed class CommandResultTests(ITestOutputHelper output)
{
    // Three significant digits: a percentile is at most a thousandth above the exact value, which it contains.
    [Fact]
    public void Percentiles_are_exact_to_a_thousandth()
    {
        var random = new SeededRandom(TestSeed.Choose(output, 23), 0);
        var result = new CommandResult("GET");
        long[] latencies = new long[50_000];
        for (int i = 0; i < latencies.Length; i++)
        {
            latencies[i] = (long)Math.Exp(random.NextDouble() * 20) + 1;
            result.Record(default, latencies[i], new ReplyReader());
        }

        Array.Sort(latencies);
        foreach (double percentile in (double[])[0.1, 1, 25, 50, 90, 99, 99.9, 99.99, 100])
        {
            long exact = latencies[Math.Max((int)Math.Ceiling(percentile / 100 * latencies.Length) - 1, 0)];
            Assert.InRange(result.Latencies.GetValueAtPercentile(percentile), exact, exact * 1.001 + 1);
        }
    }

    [Fact]
    public void Threads_are_added_up()
    {
        var reader = new ReplyReader();
        int at = 0;
        reader.TryRead("-ERR first\r\n"u8, ref at, out Reply error);
        var sum = new CommandResult("GET");
        sum.Record(new Reply((byte)'+', false, false), 10, reader);
        var other = new CommandResult("GET");
        other.Record(error, 20, reader);
        other.Record(new Reply((byte)'$', IsNull: true, IsWrong: false), 30, reader);
        other.Record(new Reply((byte)'$', IsNull: false, IsWrong: true), long.MaxValue, reader);
        sum.Add(other);
        Assert.Equal((4, 1, 1, 1), (sum.Latencies.TotalCount, sum.Errors, sum.Nulls, sum.WrongValues));
        Assert.Equal("ERR first", sum.FirstError);
    }
}
