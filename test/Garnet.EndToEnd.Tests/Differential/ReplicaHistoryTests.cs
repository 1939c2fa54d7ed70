// A primary, its replica and a restart from its log hold the same data after any history, what has expired and is stored included. Each
// test has its own servers.
using System.Globalization;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Differential;

public sealed class ReplicaHistoryTests(ITestOutputHelper output) : IDisposable
{
    private const int EpisodesPerFamily = 3;
    private const int FullEpisodes = 300;
    private const int FirstSeed = 91_000;

    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-history-").FullName;
    private readonly ManualTimeProvider _clock = new();

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    /// <summary>
    /// Keys and fields expire during the history; some are removed when they are found, and the others stay stored. The servers are
    /// compared twice: with everything that they store, and as their clients see it, for whom time goes on.
    /// </summary>
    [Theory]
    [MemberData(nameof(Histories.Names), MemberType = typeof(Histories))]
    public void Primary_replica_and_restart_are_equal(string family)
    {
        int firstSeed = TestSeed.Choose(output, FirstSeed);
        string log = Path.Combine(_folder, "primary");
        Directory.CreateDirectory(log);
        using TestServer primary = Start(log, isLogged: true);
        using TestServer replica = Start(Path.Combine(_folder, "replica"), isLogged: false);
        Follow(replica, primary);
        foreach ((int seed, Episode episode) in Histories.Episodes(family, firstSeed, FaultScale.Count(EpisodesPerFamily, FullEpisodes)))
        {
            ExpiringHistory.Run(primary, episode, _clock);
            AwaitReplica(primary, replica);
            // What the history may have set.
            Assert.Equal("+OK\r\n", Call(primary, "CONFIG", "SET", "import-mode", "no"));
            string copy = Copy(log);
            using TestServer restarted = Start(copy, isLogged: true);
            AssertEqual(seed, "stored", DataListing.Of, primary, replica, restarted, seesExpired: true);
            AssertEqual(seed, "visible", DataListing.Of, primary, replica, restarted, seesExpired: false);
            _clock.Advance(TimeSpan.FromMilliseconds(25));
            AssertEqual(seed, "visible later", DataListing.Of, primary, replica, restarted, seesExpired: false);
        }
    }

    private static void AssertEqual(
        int seed,
        string what,
        Func<RespExchange, List<string>> list,
        TestServer primary,
        TestServer replica,
        TestServer restarted,
        bool seesExpired
    )
    {
        List<string>[] data = [.. ((TestServer[])[primary, replica, restarted]).Select(server => List(server, list, seesExpired))];
        string[] names = ["replica", "restart"];
        for (int i = 0; i < names.Length; i++)
        {
            List<string> actual = data[i + 1];
            Assert.True(
                data[0].SequenceEqual(actual),
                $"seed {seed}, {what}, {names[i]}:{Environment.NewLine}"
                    + string.Join(Environment.NewLine, data[0].Except(actual).Select(static line => "- " + line))
                    + Environment.NewLine
                    + string.Join(Environment.NewLine, actual.Except(data[0]).Select(static line => "+ " + line))
            );
        }
    }

    // A client that imports sees what has expired, and nothing is removed while it looks.
    private static List<string> List(TestServer server, Func<RespExchange, List<string>> list, bool seesExpired)
    {
        using RespExchange client = server.Connect();
        Assert.Equal("+OK\r\n", client.ExecuteText("CONFIG", "SET", "import-mode", "yes"));
        if (seesExpired)
            Assert.Equal("+OK\r\n", client.ExecuteText("CLIENT", "IMPORT-SOURCE", "ON"));
        List<string> data = list(client);
        Assert.Equal("+OK\r\n", client.ExecuteText("CONFIG", "SET", "import-mode", "no"));
        return data;
    }

    private TestServer Start(string folder, bool isLogged)
    {
        Directory.CreateDirectory(folder);
        var server = TestServer.Start(
            options =>
            {
                options.Dir = folder;
                options.AppendOnly = isLogged;
                options.AppendFsync = AppendFsync.Always;
                options.AutoAofRewritePercentage = 0;
                options.DisklessSyncDelay = TimeSpan.Zero;
                options.ReplicationBacklogBytes = 100 << 20;
                // Nothing is removed before active expiry is switched off.
                options.ImportMode = true;
            },
            _clock
        );
        server.Server.Resp.Store.Maintenance.RemovesExpired = false;
        Call(server, "CONFIG", "SET", "import-mode", "no");
        return server;
    }

    private void Follow(TestServer replica, TestServer primary)
    {
        Assert.Equal("+OK\r\n", Call(replica, "REPLICAOF", "127.0.0.1", primary.EndPoint.Port.ToString(CultureInfo.InvariantCulture)));
        Await(() =>
        {
            // The primary's clock begins the snapshot.
            _clock.Advance(TimeSpan.FromMilliseconds(100));
            return Call(replica, "INFO", "replication").Contains("master_link_status:up", StringComparison.Ordinal);
        });
    }

    private static void AwaitReplica(TestServer primary, TestServer replica) =>
        Await(() =>
            primary.Server.Resp.Replication.Effects.Stream.Position == replica.Server.Resp.Replication.Effects.Stream.Position
            && replica.Server.Resp.Replication.Primary is { State: Garnet.Server.Replication.PrimaryLinkState.Connected }
            && primary.Server.Resp.Persistence.AppendOnly.Log is { } log
            && log.Durable == log.Appended
        );

    private static void Await(Func<bool> condition) => Assert.True(SpinWait.SpinUntil(condition, TimeSpan.FromSeconds(60)));

    private static string Call(TestServer server, params string[] arguments)
    {
        using RespExchange client = server.Connect();
        return client.ExecuteText(arguments);
    }

    private string Copy(string from)
    {
        string to = Path.Combine(_folder, Guid.NewGuid().ToString("N"));
        foreach (string file in Directory.EnumerateFiles(from, "*", SearchOption.AllDirectories))
        {
            if (file.EndsWith(".lock", StringComparison.Ordinal))
                continue;
            string target = Path.Combine(to, Path.GetRelativePath(from, file));
            Directory.CreateDirectory(Path.GetDirectoryName(target)!);
            File.Copy(file, target);
        }

        return to;
    }
}
