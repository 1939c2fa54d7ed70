// Loading the same files with one thread and with several gives the same data. Servers in temporary folders.
using Garnet.EndToEnd.Tests.Differential;
using Garnet.EndToEnd.Tests.Differential.Generators;
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Rdb;
using Garnet.Server.Composition;
using Garnet.Server.Persistence;
using Garnet.Store;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Saving;

public sealed class ParallelLoadTests(ITestOutputHelper output) : IDisposable
{
    private const int FirstSeed = 55_000;
    private const int CommandsPerFamily = 150;
    private const int PairsPerCommand = 100;
    private const int Rounds = 40;
    private static readonly string[] Families =
    [
        "strings",
        "bitmaps",
        "hyperloglog",
        "hashes",
        "sets",
        "geo",
        "streams",
        "keys",
        "lists",
        "sorted-sets",
        "mixed",
    ];
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-parallel-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Data_of_all_types_is_restored_equally_with_any_number_of_threads()
    {
        int seed = TestSeed.Choose(output, FirstSeed);
        List<string> expected;
        using (var origin = TestServer.Start(options => (options.Dir, options.AppendOnly) = (_folder, true)))
        {
            using RespExchange client = origin.Connect();
            Fill(client, seed);
            expected = Read(client);
            Assert.Equal("+OK\r\n", client.ExecuteText("SAVE"));
        }

        Assert.True(expected.Count > Rounds * PairsPerCommand / 2);
        foreach (int threads in (ReadOnlySpan<int>)[1, 4])
        {
            AssertLoads($"snapshot, {threads} threads, seed {seed}", expected, server => LoadSnapshot(server.Store, threads));
            AssertLoads($"log, {threads} threads, seed {seed}", expected, server => LoadLog(server, threads));
        }
    }

    private static void AssertLoads(string what, List<string> expected, Action<RespServer> load)
    {
        using var server = TestServer.Start();
        load(server.Server.Resp);
        using RespExchange client = server.Connect();
        List<string> actual = Read(client);
        Assert.True(
            expected.SequenceEqual(actual),
            $"{what}:{Environment.NewLine}{string.Join(Environment.NewLine, [.. expected.Except(actual).Take(20).Select(line => "- " + line), .. actual.Except(expected).Take(20).Select(line => "+ " + line)])}"
        );
    }

    private void LoadSnapshot(HybridLogStore store, int threads)
    {
        using FileStream file = File.OpenRead(Path.Combine(_folder, "dump.rdb"));
        Assert.True(new RdbLoader(store, new RdbLoadOptions { Workers = threads }).Load(file).IsChecked);
    }

    private void LoadLog(RespServer server, int threads)
    {
        AppendLogRecovery recovery = new(new LogFolder(Path.Combine(_folder, "appendonlydir")), "appendonly.aof");
        int told = 0;
        server.Store.Clock.IsStopped = true;
        using (EffectReplay replay = new(server.ClientFactory, server.Store.Databases, threads, () => told++))
        {
            LogEnd end = recovery.Read(replay, mayTruncate: false);
            Assert.True(end.Bytes > 0 && replay.Effects > Rounds);
        }

        server.Store.Clock.IsStopped = false;
        Assert.True(told > 0);
        Assert.Equal(recovery.TotalBytes, recovery.ReadBytes);
    }

    // Many small keys, so that there is work to distribute, with histories of every family, and commands on several keys or on all in
    // between.
    private static void Fill(RespExchange client, int seed)
    {
        var random = new Random(seed);
        client.ExecuteText("SET", "gone", "before FLUSHALL");
        client.ExecuteText("FLUSHALL");
        for (int round = 0; round < Rounds; round++)
        {
            if (round % 4 == 0)
                RunHistory(client, Families[round / 4 % Families.Length], seed + round);
            client.ExecuteText("SELECT", $"{random.Next(3)}");
            client.ExecuteText([
                "MSET",
                .. Enumerable
                    .Range(0, PairsPerCommand)
                    .SelectMany(_ => new[] { $"n{random.Next(20_000)}", new string('v', random.Next(600)) }),
            ]);
            client.ExecuteText(["DEL", .. Enumerable.Range(0, 10).Select(_ => $"n{random.Next(20_000)}")]);
            client.ExecuteText("SWAPDB", "0", $"{random.Next(1, 3)}");
            for (int i = 0; i < 200; i++)
                client.ExecuteText("APPEND", $"n{random.Next(50)}", $"{i}");
            client.ExecuteText("RENAME", $"n{random.Next(50)}", $"n{random.Next(50)}");
            client.ExecuteText("MULTI");
            for (int i = 0; i < 5; i++)
                client.ExecuteText("RPUSH", $"list{random.Next(5)}", $"{round}");
            client.ExecuteText("COPY", $"list{random.Next(5)}", $"list{random.Next(5)}", "REPLACE");
            client.ExecuteText("EXEC");
        }

        foreach (string family in Families)
            RunHistory(client, family, seed - family.Length);
    }

    private static void RunHistory(RespExchange client, string family, int seed)
    {
        var source = new ArgumentSource(new Random(seed));
        foreach (Command command in Family.Named(family).Create(source, Dialect.Valkey91).Generate(CommandsPerFamily))
        {
            if (!command.Name.StartsWith('@') && command.Name is not ("FLUSHALL" or "FLUSHDB" or "WAIT" or "WAITAOF"))
                client.Execute(command.Arguments);
        }

        client.ExecuteText("DISCARD");
        client.ExecuteText("RESET");
    }

    private static List<string> Read(RespExchange client)
    {
        List<string> lines = DataListing.Of(client);
        for (int i = 0; i < 5; i++)
            lines.Add(client.ExecuteText("OBJECT", "ENCODING", $"list{i}") + client.ExecuteText("DUMP", $"list{i}"));
        return lines;
    }
}
