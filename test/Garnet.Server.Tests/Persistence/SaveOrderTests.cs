// Two requests to save at the same time: every pair of BGSAVE, BGREWRITEAOF, a full synchronization and SHUTDOWN, in both orders, on a
// disk that works and on one that fails at a step. Each case has a server and a folder of its own.
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Snapshots;
using Garnet.Server.Composition;
using Garnet.Server.Persistence;
using Garnet.Server.Replication;
using Garnet.Testing;
using Xunit;

namespace Garnet.Server.Tests.Persistence;

public sealed class SaveOrderTests
{
    private const string Running = "-ERR Background save already in progress";
    private const string Started = "+Background saving started";
    private const string Scheduled = "+Background saving scheduled";
    private const string Rewriting = "-ERR Background append only file rewriting already in progress";
    private const string RewriteStarted = "+Background append only file rewriting started";
    private const string RewriteScheduled = "+Background append only file rewriting scheduled";
    private const string Active = "-ERR Another child process is active (AOF?): can't BGSAVE right now. ";

    // The reply comes when the save has ended, if at all.
    private const string Later = "";

    // What is asked while the first save runs, the reply, and the files that both begin to write, in order.
    private static readonly (string First, string Second, string Reply, string Files)[] Pairs =
    [
        ("BGSAVE", "BGSAVE", Running, "dump"),
        ("BGSAVE", "BGSAVE SCHEDULE", Running, "dump"),
        ("BGSAVE", "SAVE", Running, "dump"),
        ("BGSAVE", "BGREWRITEAOF", RewriteScheduled, "dump base"),
        ("BGSAVE", "SYNC", Later, "dump repl"),
        ("BGSAVE", "SHUTDOWN SAVE NOW", Later, "dump dump"),
        ("BGREWRITEAOF", "BGSAVE", Active, "base"),
        ("BGREWRITEAOF", "BGSAVE SCHEDULE", Scheduled, "base dump"),
        ("BGREWRITEAOF", "BGREWRITEAOF", Rewriting, "base"),
        ("BGREWRITEAOF", "SYNC", Later, "base repl"),
        ("BGREWRITEAOF", "SHUTDOWN SAVE NOW", Later, "base dump"),
        ("SYNC", "BGSAVE", Active, "repl"),
        ("SYNC", "BGSAVE SCHEDULE", Scheduled, "repl dump"),
        ("SYNC", "BGREWRITEAOF", RewriteScheduled, "repl base"),
        ("SYNC", "SYNC", Later, "repl repl"),
        ("SYNC", "SHUTDOWN SAVE NOW", Later, "repl dump"),
        ("SHUTDOWN SAVE NOW", "BGSAVE", Running, "dump"),
        ("SHUTDOWN SAVE NOW", "BGSAVE SCHEDULE", Running, "dump"),
        ("SHUTDOWN SAVE NOW", "BGREWRITEAOF", RewriteScheduled, "dump base"),
        ("SHUTDOWN SAVE NOW", "SYNC", Later, "dump repl"),
        ("SHUTDOWN SAVE NOW", "SHUTDOWN SAVE NOW", Later, "dump"),
    ];

    /// <summary>The pairs, each with every step at which the disk fails, and with none.</summary>
    public static TheoryData<string, string, string, string, string> Cases
    {
        get
        {
            TheoryData<string, string, string, string, string> data = [];
            foreach ((string first, string second, string reply, string files) in Pairs)
            {
                foreach (string step in (string[])["", "create", "write", "sync"])
                    data.Add(first, second, reply, files, step);
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public void Two_saves_take_turns(string first, string second, string reply, string files, string failingStep)
    {
        TroubledDisk disk = new();
        using LoggedServer logged = new(
            static options =>
            {
                options.AppendFsync = AppendFsync.EverySecond;
                options.DisklessSyncDelaySeconds = 0;
            },
            disk: disk
        );
        int ends = 0;
        logged.Server.Server.Shutdown.Requested += () => Interlocked.Increment(ref ends);
        logged.Call("MSET", "a", "1", "b", "2");
        InProcessClient one = logged.Server.Connect();
        InProcessClient two = logged.Server.Connect();

        disk.CreatesRun.Reset();
        Ask(one, first, FirstReply(first));
        logged.AwaitInTime(() => !disk.Begun.IsEmpty);
        disk.FailingStep = failingStep;
        Ask(two, second, reply);
        disk.CreatesRun.Set();
        int expected = files.Split(' ').Length;
        logged.AwaitInTime(() => disk.Begun.Count >= expected && IsIdle(logged));
        Assert.Equal(files, string.Join(' ', disk.Begun.Select(Kind)));

        bool ended = failingStep.Length == 0 && (first + second).Contains("SHUTDOWN", StringComparison.Ordinal);
        LoggedServer.Await(() => Volatile.Read(ref ends) > 0 == ended);
        disk.FailingStep = null;
        if (!ended)
            AssertSaves(logged);
        Assert.Equal(SaveResult.Success, logged.Server.Server.Persistence.Snapshots.LastOutcome!.Result);
        Assert.Equal(2, logged.Server.Server.Persistence.Snapshots.LastOutcome!.Keys);
        logged.Restart();
        Assert.Equal(":2\r\n", logged.Call("DBSIZE"));
    }

    // Another save can be made, of each kind.
    private static void AssertSaves(LoggedServer logged)
    {
        Assert.Equal(Started + "\r\n", logged.Call("BGSAVE"));
        logged.AwaitInTime(() => IsIdle(logged));
        Assert.Equal(RewriteStarted + "\r\n", logged.Call("BGREWRITEAOF"));
        logged.AwaitInTime(() => IsIdle(logged));
        Assert.Contains("aof_last_bgrewrite_status:ok\r\n", logged.Call("INFO", "persistence"), StringComparison.Ordinal);
        Assert.Equal("+OK\r\n", logged.Call("SET", "a", "3"));
    }

    private static string FirstReply(string first) =>
        first switch
        {
            "BGSAVE" => Started,
            "BGREWRITEAOF" => RewriteStarted,
            _ => Later,
        };

    private static void Ask(InProcessClient client, string command, string reply)
    {
        client.Send(InProcessClient.Request(command.Split(' ')));
        if (reply != Later)
            Assert.StartsWith(reply, LoggedServer.Await(client), StringComparison.Ordinal);
    }

    private static bool IsIdle(LoggedServer logged)
    {
        RespServer server = logged.Server.Server;
        return server.Persistence.Snapshots is { IsScheduled: false, Saver.Progress: null }
            && server.Persistence.AppendOnly is { IsRewriting: false, IsScheduled: false }
            && server.Replication.Replicas.All.All(static link => link.State != ReplicaLinkState.WaitingForSnapshot);
    }

    private static string Kind(string path) =>
        path.Contains(".base.rdb", StringComparison.Ordinal) ? "base"
        : path.Contains(".repl.rdb", StringComparison.Ordinal) ? "repl"
        : "dump";
}
