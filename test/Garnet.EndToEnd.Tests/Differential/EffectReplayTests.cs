// What commands hand to the write sink must be enough to have all data again. Each test has servers of its own.
using System.Diagnostics;
using Garnet.EndToEnd.Tests.Differential.Generators;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Differential;

public sealed class EffectReplayTests(ITestOutputHelper output)
{
    private const int EpisodesPerFamily = 150;
    private const int FirstSeed = 81_000;

    public static TheoryData<string> Families => [.. Histories.Select(family => family.Name)];

    private static Family[] Histories =>
        [.. Family.All, new("collection writes", static (source, dialect) => new CollectionWrites(source, dialect))];

    /// <summary>
    /// A history runs on one server while time passes and keys expire; its effects are then carried out on an empty server, much later.
    /// Both must hold the same.
    /// </summary>
    [Theory]
    [MemberData(nameof(Families))]
    public void The_effects_of_a_history_give_its_data(string family)
    {
        int seed = TestSeed.Choose(output, FirstSeed);
        EffectTape tape = new();
        ManualTimeProvider clock = new();
        using var origin = TestServer.Start(time: clock);
        using var copy = TestServer.Start(time: clock);
        origin.Server.Resp.Store.ActiveExpiry = false;
        origin.Server.Resp.Store.Sink = tape;
        long start = Stopwatch.GetTimestamp();
        for (
            int i = 0;
            i < EpisodesPerFamily && (FaultScale.IsFull || i == 0 || Stopwatch.GetElapsedTime(start) < FaultScale.FuzzTime);
            i++
        )
        {
            Episode episode = Histories.Single(each => each.Name == family).Generate(seed + i, Dialect.Valkey91);
            tape.Clear();
            RunWithExpiries(origin, episode, clock);
            // By one thread or several, in stretches of any length.
            tape.Replay(copy.Server.Resp, workers: (seed + i) % 4, commandsPerBatch: 1 + ((seed + i) % 13));
            using RespExchange first = origin.Connect();
            using RespExchange second = copy.Connect();
            List<string> expected = DataListing.Of(first);
            List<string> actual = DataListing.Of(second);
            Assert.True(
                expected.SequenceEqual(actual),
                $"seed {seed + i}:{Environment.NewLine}{Difference(expected, actual)}{Environment.NewLine}effects:{Environment.NewLine}{tape}"
            );
        }
    }

    // The generators take care that nothing expires; here, some keys do, and their life goes on afterwards.
    private static void RunWithExpiries(TestServer server, Episode episode, ManualTimeProvider clock)
    {
        Random random = new(episode.Seed);
        RespExchange[] clients = [.. Enumerable.Range(0, episode.Connections).Select(_ => server.Connect())];
        using RespExchange extra = server.Connect();
        Assert.Equal("+OK\r\n", extra.ExecuteText("FLUSHALL"));
        foreach (Command command in episode.Commands)
        {
            if (!command.Name.StartsWith('@') && !Waits(command))
                clients[command.Connection].Execute(command.Arguments);
            switch (random.Next(12))
            {
                case 0:
                    extra.ExecuteText("PEXPIRE", $"k{random.Next(6)}", $"{random.Next(1, 50)}");
                    break;
                case 1:
                    extra.ExecuteText("SET", $"k{random.Next(6)}", "soon gone", "PX", $"{random.Next(1, 50)}");
                    break;
                case 2:
                    extra.ExecuteText(
                        "HPEXPIRE",
                        $"k{random.Next(6)}",
                        $"{random.Next(1, 50)}",
                        "FIELDS",
                        "2",
                        $"f{random.Next(8)}",
                        $"f{random.Next(8)}"
                    );
                    break;
                case 3:
                    clock.Advance(TimeSpan.FromMilliseconds(random.Next(40)));
                    break;
            }
        }

        foreach (RespExchange client in clients)
            client.Dispose();
    }

    // Time stands still between steps, so these would wait for ever.
    private static bool Waits(Command command) =>
        command.Name
            is "WAIT"
                or "WAITAOF"
                or "SHUTDOWN"
                or "BLPOP"
                or "BRPOP"
                or "BLMOVE"
                or "BRPOPLPUSH"
                or "BLMPOP"
                or "BZPOPMIN"
                or "BZPOPMAX"
                or "BZMPOP"
        || (command.Name == "CLIENT" && (command.Argument(1) is "PAUSE" or "REPLY"));

    private static string Difference(List<string> expected, List<string> actual) =>
        string.Join(
            Environment.NewLine,
            [.. expected.Except(actual).Select(line => "- " + line), .. actual.Except(expected).Select(line => "+ " + line)]
        );
}
