// What is refused before it begins.
using Garnet.Bench.Load;
using Garnet.Bench.Options;
using Garnet.Bench.Workloads;
using Xunit;

namespace Garnet.Bench.Tests.Load;

public sealed class LoadLimitsTests
{
    [Theory]
    [InlineData("more than 64 MiB, --max-memory: take fewer --clients", "--max-memory", "64", "-c", "1000")]
    [InlineData("more than 64 MiB, --max-memory: take fewer --clients", "--max-memory", "64", "-c", "100", "-P", "100000")]
    [InlineData("more than 64 MiB, --max-memory: take fewer --clients", "--max-memory", "64", "-d", "3000000")]
    [InlineData("half of this machine's: take fewer --clients", "-c", "100000", "-P", "100000", "-d", "1000000")]
    [InlineData("-t get would first write 100000 keys", "-t", "set,get", "-d", "100000")]
    public async Task Too_much_is_refused_before_a_server_is_asked(string expected, params string[] arguments)
    {
        BenchRun run = await BenchRun.RunAsync(["-h", "no.such.host.invalid", "-n", "10", .. arguments]);
        Assert.Equal(1, run.ExitCode);
        Assert.Contains(expected, run.Errors, StringComparison.Ordinal);
        Assert.Single(run.Errors.Split('\n', StringSplitOptions.RemoveEmptyEntries));
    }

    [Theory]
    [InlineData]
    [InlineData("-c", "1000", "-P", "100", "--max-memory", "1024")]
    [InlineData("-t", "set,get", "-d", "100000", "--prepare", "1000")]
    [InlineData("-t", "set,get", "-d", "100000", "-r", "1000")]
    public void What_fits_is_not_refused(params string[] arguments) => LoadLimits.Check(TestOptions.Parse(arguments));

    // 50 connections that each keep a batch, the request that made it full, and their share of the tables.
    [Fact]
    public void Memory_is_the_sum_of_its_users()
    {
        BenchOptions options = TestOptions.Parse("-d", "1000000");
        Workload workload = WorkloadPlan.Create(options)[0];
        Assert.InRange(LoadLimits.MemoryOf(options, workload), 50 * 1_064_000, 60 * 1_100_000);
    }
}
