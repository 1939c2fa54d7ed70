// Histories while snapshots are taken: the replies are unaffected, and each file holds the data of one point in time. Each test has its own
// servers and folder.
using Garnet.EndToEnd.Tests.Differential.Generators;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Differential;

public sealed class SnapshotHistoryTests(ITestOutputHelper output) : IDisposable
{
    private const int FirstSeed = 93_000;
    private const int Snapshots = 6;
    private const int CommandsPerSnapshot = 150;
    private static readonly string[] DataFamilies =
    [
        "strings",
        "bitmaps",
        "hyperloglog",
        "hashes",
        "sets",
        "geo",
        "sort",
        "streams",
        "keys",
        "lists",
        "sorted-sets",
        "mixed",
    ];
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-snapshots-").FullName;

    public static TheoryData<string> Families => [.. DataFamilies];

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [MemberData(nameof(Families))]
    public async Task Histories_are_answered_as_recorded_while_snapshots_are_taken(string family)
    {
        using var server = TestServer.Start(options =>
        {
            options.Dir = _folder;
            options.EnableDebugCommand = CommandAccess.Yes;
        });
        using var over = new CancellationTokenSource();
        Task<int> saving = Task.Factory.StartNew(
            () => SaveAgainAndAgain(server, over.Token),
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default
        );
        int commands;
        try
        {
            commands = DifferentialRun.AgainstTranscript(Transcript.Read(Transcript.PathOf(family)), server.EndPoint);
        }
        finally
        {
            await over.CancelAsync();
        }

        output.WriteLine($"{family}: {commands} commands beside {await saving} snapshots");
        Assert.True(await saving > 0);
    }

    /// <summary>A slow save is in progress throughout a history, and its file must contain the initial state.</summary>
    [Theory]
    [MemberData(nameof(Families))]
    public void A_snapshot_contains_the_data_as_of_its_start(string family)
    {
        int seed = TestSeed.Choose(output, FirstSeed);
        using var server = TestServer.Start(options => options.Dir = _folder);
        using RespExchange client = server.Connect();
        Fill(client);
        for (int i = 0; i < Snapshots; i++)
        {
            Run(client, family, seed + (2 * i));
            List<string> expected = DataListing.Of(client);
            client.ExecuteText("CONFIG", "SET", "checkpoint-throttle-flush-delay-ms", "50");
            Assert.Equal("+Background saving started\r\n", client.ExecuteText("BGSAVE"));
            Run(client, family, seed + (2 * i) + 1);
            client.ExecuteText("CONFIG", "SET", "checkpoint-throttle-flush-delay-ms", "-1");
            while (client.ExecuteText("INFO", "persistence").Contains("rdb_bgsave_in_progress:1", StringComparison.Ordinal))
                Thread.Sleep(1);
            Assert.Contains("rdb_last_bgsave_status:ok", client.ExecuteText("INFO", "persistence"), StringComparison.Ordinal);
            using var loaded = TestServer.Start(options => options.Dir = _folder);
            using RespExchange reader = loaded.Connect();
            while (reader.ExecuteText("PING") != "+PONG\r\n")
                Thread.Sleep(1);
            List<string> actual = DataListing.Of(reader);
            Assert.True(
                expected.SequenceEqual(actual),
                $"seed {seed}, snapshot {i}:{Environment.NewLine}{string.Join(Environment.NewLine, [.. expected.Except(actual).Select(line => "- " + line), .. actual.Except(expected).Select(line => "+ " + line)])}"
            );
        }
    }

    // Values that a save must write before it reaches those that the history changes.
    private static void Fill(RespExchange client)
    {
        client.ExecuteText("SELECT", "15");
        for (int i = 0; i < 300; i++)
            client.ExecuteText("SET", $"filler{i}", new string('f', 10_000));
        client.ExecuteText("SELECT", "0");
    }

    // FLUSHALL would cancel the save; blocking commands would delay the history.
    private static void Run(RespExchange client, string family, int seed)
    {
        var source = new ArgumentSource(new Random(seed));
        foreach (Command command in Family.Named(family).Create(source, Dialect.Valkey91).Generate(CommandsPerSnapshot))
        {
            if (!command.Name.StartsWith('@') && command.Name is not ("FLUSHALL" or "FLUSHDB" or "WAIT" or "WAITAOF" or "SWAPDB"))
                client.Execute(command.Arguments);
        }
    }

    private static int SaveAgainAndAgain(TestServer server, CancellationToken over)
    {
        using RespExchange client = server.Connect();
        int begun = 0;
        do
        {
            begun += client.ExecuteText("BGSAVE")[0] == '+' ? 1 : 0;
        } while (!over.IsCancellationRequested);
        return begun;
    }
}
