// A disk that is full, or fails at one step, with every way of saving: what was acknowledged stays, the error is told, and the server goes
// on when the disk does. Each case has a server and a folder of its own.
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Snapshots;
using Garnet.Testing;
using Xunit;

namespace Garnet.Server.Tests.Persistence;

public sealed class BrokenDiskTests
{
    private const string SnapshotDenied =
        "-MISCONF Garnet is configured to save RDB snapshots, but it's currently unable to persist to disk.";
    private const string LogDenied = "-MISCONF Errors writing to the AOF file: ";

    private static readonly string[] BaseSteps = [.. TroubledDisk.Steps.Select(static step => "base: " + step)];

    /// <summary>Steps at which a snapshot fails, with each way of saving and both forms of the file.</summary>
    public static TheoryData<string, string, bool> Snapshots
    {
        get
        {
            var data = new TheoryData<string, string, bool>();
            foreach (string step in TroubledDisk.Steps)
            {
                foreach (string way in (string[])["SAVE", "BGSAVE", "save point", "throttled save point", "SHUTDOWN SAVE", "SHUTDOWN"])
                {
                    data.Add(step, way, true);
                    data.Add(step, way, false);
                }
            }

            return data;
        }
    }

    /// <summary>What fails of the log, while it is written or rewritten, with each way of syncing.</summary>
    public static TheoryData<string, AppendFsync> Logs
    {
        get
        {
            var data = new TheoryData<string, AppendFsync>();
            foreach (
                string trouble in (string[])
                    ["full", "write", "sync", "rewrite: create", "rewrite: manifest", "rewrite: delete", .. BaseSteps]
            )
            {
                // What cannot be written at all holds back the replies of `always` until the disk is well again.
                if (trouble is not ("full" or "write" or "rewrite: create"))
                    data.Add(trouble, AppendFsync.Always);
                data.Add(trouble, AppendFsync.EverySecond);
                data.Add(trouble, AppendFsync.No);
            }

            return data;
        }
    }

    // Valkey asks in another order for what a script calls.
    [Fact]
    public void Commands_are_refused_for_the_disk_first_and_calls_of_scripts_for_replicas()
    {
        string folder = Directory.CreateTempSubdirectory("garnet-broken-").FullName;
        try
        {
            TroubledDisk disk = new() { FailingStep = "create" };
            using InProcessServer server = new(options => options.Dir = folder, disk: disk);
            server.Call("CONFIG", "SET", "save", "3600 1");
            Ask(server, "SAVE");
            server.Call("CONFIG", "SET", "min-replicas-to-write", "1");
            Assert.StartsWith(SnapshotDenied, server.Call("SET", "k", "v"), StringComparison.Ordinal);
            Assert.StartsWith("-NOREPLICAS", server.Call("EVAL", "return server.call('set','k','v')", "0"), StringComparison.Ordinal);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Theory]
    [MemberData(nameof(Snapshots))]
    public void A_failed_snapshot_is_reported_denies_writes_and_keeps_the_old_one(string step, string way, bool compresses)
    {
        string folder = Directory.CreateTempSubdirectory("garnet-broken-").FullName;
        try
        {
            TroubledDisk disk = new();
            using InProcessServer server = new(
                options =>
                {
                    options.Dir = folder;
                    options.RdbCompression = compresses;
                    options.CheckpointThrottleFlushDelayMs = way.StartsWith("throttled", StringComparison.Ordinal) ? 0 : -1;
                },
                disk: disk
            );
            Assert.Equal("+OK\r\n", server.Call("CONFIG", "SET", "save", "60 1"));
            Assert.Equal("+OK\r\n", server.Call("SET", "old", new string('o', 5000)));
            Assert.Equal("+OK\r\n", Ask(server, "SAVE"));
            Assert.Equal("+OK\r\n", server.Call("SET", "new", new string('n', 5000)));
            disk.FailingStep = step;
            Fail(server, way);
            Assert.Equal(1, server.Server.Persistence.Snapshots.Failures);
            Assert.Contains(TroubledDisk.Problem, server.Server.Persistence.Snapshots.LastError, StringComparison.Ordinal);
            Assert.Contains("rdb_last_bgsave_status:err\r\n", server.Call("INFO", "persistence"), StringComparison.Ordinal);
            AssertDenied(server);

            // Only a folder that could not be synced has the new one under its name.
            Assert.Equal(step == "sync-folder" ? 2 : 1, KeysIn(folder));
            Assert.DoesNotContain(Directory.GetFiles(folder), static name => TemporaryFile.TryParse(name, out _));

            disk.FailingStep = null;
            Assert.StartsWith("+Background saving", server.Call("BGSAVE"), StringComparison.Ordinal);
            Until(() => server.Server.Persistence.Snapshots.LastOutcome is { Result: SaveResult.Success, Keys: 2 });
            Assert.Contains("rdb_last_bgsave_status:ok\r\n", server.Call("INFO", "persistence"), StringComparison.Ordinal);
            Assert.Equal("+OK\r\n", server.Call("SET", "after", "1"));
            Assert.Equal(2, KeysIn(folder));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Theory]
    [MemberData(nameof(Logs))]
    public void What_the_log_has_acknowledged_is_there_whatever_fails(string trouble, AppendFsync fsync)
    {
        // As the disk is when the server ends: healed before, or not. Only `always` promises something in that case.
        foreach (bool heals in fsync == AppendFsync.Always ? (bool[])[true, false] : [true])
        {
            TroubledDisk disk = new();
            using LoggedServer logged = new(options => options.AppendFsync = fsync, disk: disk);
            SortedSet<string> acknowledged = new(StringComparer.Ordinal);
            Write(logged, acknowledged, "before", mustSucceed: true);
            // A rewrite opens the folder anew, while the log goes on in this one.
            TroubledLogFolder folder = logged.Folder;
            Break(logged, disk, trouble);
            Write(logged, acknowledged, "during", mustSucceed: false);
            using (InProcessClient reader = logged.Server.Connect())
                Assert.Equal("$1\r\nv\r\n", LoggedServer.Call(reader, "GET", "before0"));
            if (heals)
            {
                Heal(folder, disk);
                Heal(logged.Folder, disk);
                logged.AwaitInTime(
                    () =>
                    {
                        using InProcessClient client = logged.Server.Connect();
                        return LoggedServer.Call(client, "SET", "healed", "v") == "+OK\r\n";
                    },
                    LoggedServer.RetryMs
                );
                acknowledged.Add("healed");
                Write(logged, acknowledged, "after", mustSucceed: true);
            }

            logged.Server.Dispose();
            Heal(folder, disk);
            Heal(logged.Folder, disk);
            logged.RestartAt(logged.Server.NowMs);
            foreach (string key in acknowledged)
                Assert.Equal("$1\r\nv\r\n", logged.Call("GET", key));
            Assert.Equal("+OK\r\n", logged.Call("SET", "again", "v"));
        }
    }

    private static void Fail(InProcessServer server, string way)
    {
        switch (way)
        {
            case "SAVE":
                Assert.StartsWith("-ERR", Ask(server, "SAVE"), StringComparison.Ordinal);
                break;
            case "SHUTDOWN":
            case "SHUTDOWN SAVE":
                server.Server.Shutdown.Requested += static () => Assert.Fail("The server must not end.");
                Assert.StartsWith("-ERR Errors trying to SHUTDOWN", Ask(server, way.Split(' ')), StringComparison.Ordinal);
                break;
            case "BGSAVE":
                Assert.Equal("+Background saving started\r\n", server.Call("BGSAVE"));
                break;
            default:
                server.Clock.Advance(TimeSpan.FromSeconds(62));
                break;
        }

        Until(() => server.Server.Persistence.Snapshots.Failures > 0 && server.Server.Persistence.Snapshots.Saver.Progress is null);
    }

    private static void AssertDenied(InProcessServer server)
    {
        Assert.StartsWith(SnapshotDenied, server.Call("SET", "denied", "1"), StringComparison.Ordinal);
        Assert.StartsWith(SnapshotDenied, server.Call("PING"), StringComparison.Ordinal);
        Assert.Equal($"$5000\r\n{new string('n', 5000)}\r\n", server.Call("GET", "new"));
        Assert.Equal("+OK\r\n", server.Call("CONFIG", "SET", "stop-writes-on-bgsave-error", "no"));
        Assert.Equal("+OK\r\n", server.Call("SET", "old", "2"));
        Assert.Equal("+OK\r\n", server.Call("CONFIG", "SET", "stop-writes-on-bgsave-error", "yes"));
        Assert.StartsWith(SnapshotDenied, server.Call("DEL", "old"), StringComparison.Ordinal);
        // Without save points nobody relies on snapshots.
        Assert.Equal("+OK\r\n", server.Call("CONFIG", "SET", "save", ""));
        Assert.Equal("+OK\r\n", server.Call("SET", "old", "3"));
        Assert.Equal("+OK\r\n", server.Call("CONFIG", "SET", "save", "60 1"));
    }

    private static void Break(LoggedServer logged, TroubledDisk disk, string trouble)
    {
        TroubledLogFolder folder = logged.Folder;
        switch (trouble)
        {
            case "full":
                folder.WriteError = TroubledLogFolder.NoSpace;
                return;
            case "write":
                folder.WriteError = TroubledLogFolder.InputOutput;
                return;
            case "sync":
                folder.SyncError = TroubledLogFolder.InputOutput;
                return;
            case "rewrite: create":
                folder.CreateError = TroubledLogFolder.NoSpace;
                break;
            case "rewrite: manifest":
                folder.ManifestError = TroubledLogFolder.NoSpace;
                break;
            case "rewrite: delete":
                folder.DeleteError = TroubledLogFolder.InputOutput;
                break;
            default:
                disk.FailingStep = trouble["base: ".Length..];
                break;
        }

        Assert.StartsWith("+Background append only file rewriting", logged.Call("BGREWRITEAOF"), StringComparison.Ordinal);
        // A rewrite waits for room for its first file.
        if (trouble == "rewrite: create")
            return;
        Until(() => !logged.Server.Server.Persistence.AppendOnly.IsRewriting);
        string expected = trouble == "rewrite: delete" ? "ok" : "err";
        Assert.Contains($"aof_last_bgrewrite_status:{expected}\r\n", logged.Call("INFO", "persistence"), StringComparison.Ordinal);
    }

    private static void Heal(TroubledLogFolder folder, TroubledDisk disk)
    {
        folder.WriteError = folder.SyncError = folder.CreateError = folder.ManifestError = folder.DeleteError = 0;
        disk.FailingStep = null;
    }

    // Whoever is not answered with OK must be told why, or be cut off.
    private static void Write(LoggedServer logged, SortedSet<string> acknowledged, string name, bool mustSucceed)
    {
        for (int i = 0; i < 20; i++)
        {
            using InProcessClient client = logged.Server.Connect();
            string reply = LoggedServer.Call(client, "SET", $"{name}{i}", "v");
            if (reply == "+OK\r\n")
                acknowledged.Add($"{name}{i}");
            else if (mustSucceed || !client.IsClosed || reply.Length > 0)
                Assert.True(!mustSucceed && reply.StartsWith(LogDenied, StringComparison.Ordinal), $"'{reply}'");
        }
    }

    private static string Ask(InProcessServer server, params string[] arguments)
    {
        server.Client.Send(InProcessClient.Request(arguments));
        return LoggedServer.Await(server.Client);
    }

    private static int KeysIn(string folder)
    {
        using InProcessServer loaded = new();
        using FileStream file = File.OpenRead(Path.Combine(folder, "dump.rdb"));
        new Garnet.Persistence.Rdb.RdbLoader(loaded.Store, new Garnet.Persistence.Rdb.RdbLoadOptions()).Load(file);
        return (int)loaded.Store.Databases.KeyCount(0);
    }

    private static void Until(Func<bool> condition) => LoggedServer.Await(condition);
}
