// The observations of a server's clients before and after kills must be linearizable.
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Faults;

public sealed class RestartHistoryTests(ITestOutputHelper output)
{
    private const int FullWindows = 1_000_000 / (HistoryRun.Clients * HistoryRun.OperationsPerWindow);

    [Fact]
    public void Histories_across_kills_are_linearizable()
    {
        string folder = Directory.CreateTempSubdirectory("garnet-history-").FullName;
        using (HistoryRun run = new(folder, FaultScale.Count(160, FullWindows), TestSeed.ChooseAnew(output)))
        {
            string? failure = run.Run();
            output.WriteLine($"{run.Answered} operations, {run.Unanswered} without an answer, {run.Kills} kills");
            Assert.True(failure is null, failure);
            Assert.True(run.Kills > 0);
        }

        Directory.Delete(folder, recursive: true);
    }
}
