// The effects of commands must be enough to restore all data. Each test has its own servers.
using Garnet.Server.Composition;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Differential;

public sealed class EffectReplayTests(ITestOutputHelper output)
{
    private const int EpisodesPerFamily = 50;
    private const int ColdEpisodesPerFamily = 10;
    private const int FullEpisodes = 1000;
    private const int FirstSeed = 81_000;

    /// <summary>
    /// Runs a history on one server while time passes and keys expire, and replays its effects on an empty server, much later. Both must
    /// hold the same data.
    /// </summary>
    [Theory]
    [MemberData(nameof(Histories.Names), MemberType = typeof(Histories))]
    public void Replaying_the_effects_of_a_history_gives_its_data(string family)
    {
        int firstSeed = TestSeed.Choose(output, FirstSeed);
        EffectTape tape = new();
        ManualTimeProvider clock = new();
        using var origin = TestServer.Start(time: clock);
        using var copy = TestServer.Start(time: clock);
        origin.Server.Resp.Store.Maintenance.RemovesExpired = false;
        origin.Server.Resp.Store.Changes.Sink = tape;
        foreach ((int seed, Episode episode) in Histories.Episodes(family, firstSeed, FaultScale.Count(EpisodesPerFamily, FullEpisodes)))
        {
            tape.Clear();
            ExpiringHistory.Run(origin, episode, clock);
            // On one or several threads, in batches of any size.
            tape.Replay(copy.Server.Resp, workers: seed % 4, commandsPerBatch: 1 + (seed % 13));
            using RespExchange first = origin.Connect();
            using RespExchange second = copy.Connect();
            List<string> expected = DataListing.Of(first);
            List<string> actual = DataListing.Of(second);
            Assert.True(
                expected.SequenceEqual(actual),
                $"seed {seed}:{Environment.NewLine}{Difference(expected, actual)}{Environment.NewLine}effects:{Environment.NewLine}{tape}"
            );
        }
    }

    /// <summary>As above, with every value on disk before each effect; what needs one waits for it.</summary>
    [Theory]
    [MemberData(nameof(Histories.Names), MemberType = typeof(Histories))]
    public void Replaying_effects_on_values_on_disk_gives_the_same_data(string family)
    {
        int firstSeed = TestSeed.Choose(output, FirstSeed);
        EffectTape tape = new();
        ManualTimeProvider clock = new();
        using var origin = TestServer.Start(time: clock);
        using var copy = TestServer.Start(static options => options.MaxMemoryBytes = 1L << 30, time: clock);
        RespServer cold = copy.Server.Resp;
        ColdServer.Open(cold.Store, cold.Executor.Gates.ColdValues);
        origin.Server.Resp.Store.Maintenance.RemovesExpired = false;
        origin.Server.Resp.Store.Changes.Sink = tape;
        int episodes = FaultScale.Count(ColdEpisodesPerFamily, FullEpisodes);
        foreach ((int seed, Episode episode) in Histories.Episodes(family, firstSeed, episodes))
        {
            tape.Clear();
            ExpiringHistory.Run(origin, episode, clock);
            tape.ReplayEach(cold, () => TierSweep.MoveAll(cold.Store));
            using RespExchange first = origin.Connect();
            using RespExchange second = copy.Connect();
            List<string> expected = DataListing.Of(first);
            List<string> actual = DataListing.Of(second);
            Assert.True(
                expected.SequenceEqual(actual),
                $"seed {seed}:{Environment.NewLine}{Difference(expected, actual)}{Environment.NewLine}effects:{Environment.NewLine}{tape}"
            );
        }

        output.WriteLine($"{cold.Store.Tier!.Statistics.Reads} values read");
        TierSweep.Check(cold.Store);
    }

    private static string Difference(List<string> expected, List<string> actual) =>
        string.Join(
            Environment.NewLine,
            [.. expected.Except(actual).Select(line => "- " + line), .. actual.Except(expected).Select(line => "+ " + line)]
        );
}
