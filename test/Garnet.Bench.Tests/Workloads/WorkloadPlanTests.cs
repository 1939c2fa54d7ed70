// From options to workloads.
using Garnet.Bench.Options;
using Garnet.Bench.Workloads;
using Xunit;

namespace Garnet.Bench.Tests.Workloads;

public sealed class WorkloadPlanTests
{
    [Theory]
    [InlineData("SET1 GET10")]
    [InlineData("SET3 GET2", "--ratio", "3:2")]
    [InlineData("SET1", "--ratio", "1:0")]
    [InlineData("GET5", "--ratio", "0:5")]
    [InlineData("SET1 MGET2 MGET1", "--multi-key-get", "4")]
    [InlineData("MGET5", "--ratio", "0:10", "--multi-key-get", "2")]
    [InlineData("SET1 MGET1", "--ratio", "1:3", "--multi-key-get", "9")]
    [InlineData("INCR1 GET4", "--command", "INCR a", "--command", "GET __key__", "--command-ratio", "4")]
    [InlineData("LPUSH1", "LPUSH", "a", "b")]
    [InlineData("MULTI1 SET3 EXEC1", "--", "multi", ";", "3", "set", "a", "b", ";", "exec")]
    [InlineData("LRANGE_1001", "-t", "lrange")]
    public void Commands_follow_the_options(string expected, params string[] arguments)
    {
        Workload workload = Assert.Single(WorkloadPlan.Create(TestOptions.Parse(arguments)));
        Assert.Equal(expected, string.Join(' ', workload.Commands.Select(static each => each.Template.Name + each.Repeats)));
    }

    [Fact]
    public void Patterns_of_writes_and_reads_differ()
    {
        Workload workload = WorkloadPlan.Create(TestOptions.Parse("--key-pattern", "P:Z"))[0];
        Assert.Equal([KeyPattern.Parallel, KeyPattern.Zipf], workload.Commands.Select(static command => command.Pattern));
    }

    [Fact]
    public void A_template_may_have_a_pattern_of_its_own()
    {
        BenchOptions options = TestOptions.Parse("--command", "GET __key__", "--command-key-pattern", "G", "--command", "GET __key__");
        Assert.Equal([KeyPattern.Gaussian, KeyPattern.Uniform], WorkloadPlan.Create(options)[0].Commands.Select(static c => c.Pattern));
    }

    [Fact]
    public void Every_test_of_the_table_can_be_sent()
    {
        IReadOnlyList<Workload> all = WorkloadPlan.Create(TestOptions.Parse("-t", "all"));
        Assert.Equal(BuiltInTests.Table.Count, all.Count);
        Assert.Equal(BuiltInTests.Table.Count, BuiltInTests.Table.Select(static test => test.Name).Distinct().Count());
        Assert.All(BuiltInTests.Table, static test => Assert.Same(test, BuiltInTests.Find(test.Name.ToUpperInvariant())));
        Assert.All(BuiltInTests.Table.SelectMany(static test => test.Aliases), static alias => Assert.NotNull(BuiltInTests.Find(alias)));
    }
}
