// The recorded histories of Valkey, with every value on disk before each command. Each test has its own server.
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Differential;

public sealed class ColdHistoryTests(ITestOutputHelper output)
{
    private const int EpisodesPerFamily = 25;
    private const int AllEpisodes = 100;

    // Its server is a replica at times.
    public static TheoryData<string> Families => [.. Family.All.Select(static family => family.Name).Except(["conditions"])];

    [Theory]
    [MemberData(nameof(Families))]
    public void Histories_of_values_on_disk_are_answered_as_recorded_from_Valkey(string family)
    {
        using var server = TestServer.Start(static options =>
        {
            options.EnableDebugCommand = CommandAccess.Yes;
            options.MaxMemoryBytes = 1L << 30;
        });
        using var cold = new ColdHistory(server);
        int commands = DifferentialRun.AgainstTranscript(Recorded(family), server.EndPoint, cold);
        DifferentialRun.Note(output, $"{family}, {cold.Reads} values read", commands);
        Assert.Empty(cold.Unread);
    }

    private static Transcript Recorded(string family)
    {
        var recorded = Transcript.Read(Transcript.PathOf(family));
        return recorded with { Entries = [.. recorded.Entries.Take(FaultScale.Count(EpisodesPerFamily, AllEpisodes))] };
    }
}
