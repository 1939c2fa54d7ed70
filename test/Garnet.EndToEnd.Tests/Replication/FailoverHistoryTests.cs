// What WAIT has acknowledged is there after a failover: the observations of clients across failovers must be linearizable.
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Replication;

public sealed class FailoverHistoryTests(ITestOutputHelper output)
{
    [Fact]
    public void Writes_acknowledged_by_WAIT_survive_failovers()
    {
        using FailoverHistoryRun run = new(TestSeed.ChooseAnew(output));
        string? failure = run.Run(FaultScale.Count(1, 200));
        output.WriteLine($"{run.Acknowledged} writes acknowledged, {run.Unanswered} not");
        Assert.True(failure is null, failure);
        Assert.NotEqual(0, run.Acknowledged);
    }
}
