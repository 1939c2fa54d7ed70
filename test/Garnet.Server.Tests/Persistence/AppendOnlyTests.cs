// The append-only log in a server: which replies are held back, what is restored, and what clients are told when the disk fails.
using System.Text;
using Garnet.Persistence.AppendLog;
using Garnet.Server.Persistence;
using Garnet.Store;
using Garnet.Testing;
using Xunit;

namespace Garnet.Server.Tests.Persistence;

public sealed class AppendOnlyTests
{
    private const string TooLong =
        "-ERR a command or transaction of about 2 GB cannot be logged or queued as a whole; send it in parts\r\n";

    private const string NoRoom = "-MISCONF Errors writing to the AOF file: No space left on device\r\n";

    [Fact]
    public void A_snapshot_is_scheduled_while_the_log_is_rewritten_and_cannot_begin_otherwise()
    {
        using LoggedServer logged = new();
        logged.Call("SET", "a", "1");
        // A rewrite opens the folder anew.
        TroubledLogFolder held = logged.Folder;
        held.SyncsRun.Reset();
        Assert.Equal("+Background append only file rewriting started\r\n", logged.Client.Call("BGREWRITEAOF"));
        Assert.Equal("+Background saving scheduled\r\n", logged.Client.Call("BGSAVE", "SCHEDULE"));
        Assert.StartsWith("-ERR Another child process is active", logged.Client.Call("BGSAVE"), StringComparison.Ordinal);
        held.SyncsRun.Set();
        logged.AwaitInTime(() => logged.Server.Server.Persistence.Snapshots.Successes == 1);
    }

    [Fact]
    public void A_client_that_waits_for_the_log_is_told_when_it_is_switched_off()
    {
        using LoggedServer logged = new();
        InProcessClient client = logged.Server.Connect();
        Assert.Equal("+OK\r\n", LoggedServer.Call(client, "SET", "a", "1"));
        Assert.Equal("", client.Call("WAITAOF", "1", "1", "0"));
        Assert.Equal("+OK\r\n", logged.Call("CONFIG", "SET", "appendonly", "no"));
        logged.AwaitInTime(() => logged.Server.Server.Persistence.AppendOnly.Log is null);
        string reply = "";
        logged.AwaitInTime(() => (reply += client.Receive()).Length > 0);
        Assert.Equal("-ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled.\r\n", reply);
    }

    [Fact]
    public void Writes_are_restored_after_a_restart()
    {
        using LoggedServer logged = new();
        Assert.Equal("+OK\r\n", logged.Call("SET", "a", "1"));
        Assert.Equal(":2\r\n", logged.Call("INCR", "a"));
        Assert.Equal("+OK\r\n", logged.Call("SET", "large", new string('x', 100_000)));
        logged.Call("SELECT", "5");
        Assert.Equal("+OK\r\n", logged.Call("SET", "b", "2", "EX", "100"));
        logged.Restart();
        Assert.Equal("$1\r\n2\r\n", logged.Call("GET", "a"));
        Assert.Equal(":100000\r\n", logged.Call("STRLEN", "large"));
        logged.Call("SELECT", "5");
        Assert.Equal(":100\r\n", logged.Call("TTL", "b"));
    }

    [Fact]
    public void Pending_entries_keep_their_delivery_time()
    {
        using LoggedServer logged = new();
        logged.Call("XADD", "s", "1-1", "f", "v");
        logged.Call("XGROUP", "CREATE", "s", "g", "0");
        logged.Call("XREADGROUP", "GROUP", "g", "c", "STREAMS", "s", ">");
        logged.Call("XGROUP", "CREATECONSUMER", "s", "g", "d");
        long now = logged.Server.NowMs;
        logged.Server.Dispose();
        logged.RestartAt(now + 5000);
        Assert.Equal("*1\r\n*4\r\n$3\r\n1-1\r\n$1\r\nc\r\n:5000\r\n:1\r\n", logged.Call("XPENDING", "s", "g", "-", "+", "9"));
        Assert.Equal("*0\r\n", logged.Call("XPENDING", "s", "g", "IDLE", "5001", "-", "+", "9"));
        // The seen times of consumers are not logged: as in Valkey, restored consumers were seen just now, and active if something was
        // delivered to them.
        Assert.Equal(
            "*2\r\n*8\r\n$4\r\nname\r\n$1\r\nc\r\n$7\r\npending\r\n:1\r\n$4\r\nidle\r\n:0\r\n$8\r\ninactive\r\n:0\r\n"
                + "*8\r\n$4\r\nname\r\n$1\r\nd\r\n$7\r\npending\r\n:0\r\n$4\r\nidle\r\n:0\r\n$8\r\ninactive\r\n:-1\r\n",
            logged.Call("XINFO", "CONSUMERS", "s", "g")
        );
    }

    [Fact]
    public void A_transaction_is_restored_completely()
    {
        using LoggedServer logged = new();
        logged.Client.Send([
            .. InProcessClient.Request("MULTI"),
            .. InProcessClient.Request("SET", "a", "1"),
            .. InProcessClient.Request("SELECT", "3"),
            .. InProcessClient.Request("SET", "b", "2"),
            .. InProcessClient.Request("EXEC"),
        ]);
        Assert.EndsWith("*3\r\n+OK\r\n+OK\r\n+OK\r\n", LoggedServer.Await(logged.Client), StringComparison.Ordinal);
        Assert.Equal("+OK\r\n", logged.Call("SET", "c", "3"));
        logged.Restart();
        Assert.Equal("$1\r\n1\r\n", logged.Call("GET", "a"));
        logged.Call("SELECT", "3");
        Assert.Equal("$1\r\n2\r\n", logged.Call("GET", "b"));
        Assert.Equal("$1\r\n3\r\n", logged.Call("GET", "c"));
    }

    [Fact]
    public void Replies_of_writers_and_readers_wait_for_the_disk()
    {
        using LoggedServer logged = new();
        Assert.Equal("+OK\r\n", logged.Call("SET", "a", "1"));
        using InProcessClient reader = logged.Server.Connect();
        logged.Folder.SyncsRun.Reset();
        logged.Client.Send(InProcessClient.Request("SET", "a", "2"));
        reader.Send(InProcessClient.Request("GET", "a"));
        Assert.Equal("", logged.Client.Receive());
        Assert.Equal("", reader.Receive());
        logged.Folder.SyncsRun.Set();
        Assert.Equal("+OK\r\n", LoggedServer.Await(logged.Client));
        Assert.Equal("$1\r\n2\r\n", LoggedServer.Await(reader));
        Assert.Equal("$1\r\n2\r\n", reader.Call("GET", "a"));
    }

    [Fact]
    public void With_everysec_nothing_waits()
    {
        using LoggedServer logged = new(options => options.AppendFsync = AppendFsync.EverySecond);
        logged.Folder.SyncsRun.Reset();
        Assert.Equal("+OK\r\n", logged.Client.Call("SET", "a", "1"));
        logged.Client.Send(InProcessClient.Request("WAITAOF", "1", "0", "0"));
        Assert.Equal("", logged.Client.Receive());
        logged.Folder.SyncsRun.Set();
        Assert.Equal("*2\r\n:1\r\n:0\r\n", LoggedServer.Await(logged.Client));
    }

    [Fact]
    public void A_full_disk_refuses_writes_but_not_reads_until_there_is_space()
    {
        using LoggedServer logged = new(options => options.AppendFsync = AppendFsync.EverySecond);
        Assert.Equal("+OK\r\n", logged.Call("SET", "a", "1"));
        AppendOnlyLog log = logged.Server.Server.Persistence.AppendOnly.Log!;
        LoggedServer.Await(() => log.Written == log.Appended);
        logged.Folder.WriteError = TroubledLogFolder.NoSpace;
        Assert.Equal("+OK\r\n", logged.Call("SET", "a", "2"));
        LoggedServer.Await(() => log.Problem is not null);
        Assert.Equal(NoRoom, logged.Call("SET", "a", "3"));
        Assert.Equal(NoRoom, logged.Call("PING"));
        Assert.Equal("$1\r\n2\r\n", logged.Call("GET", "a"));
        Assert.Contains("aof_last_write_status:err", logged.Call("INFO", "persistence"), StringComparison.Ordinal);
        logged.Folder.WriteError = 0;
        LoggedServer.Await(() => log.Problem is null);
        Assert.Equal("+OK\r\n", logged.Call("SET", "b", "4"));
        Assert.Contains("aof_last_write_status:ok", logged.Call("INFO", "persistence"), StringComparison.Ordinal);
        logged.Restart();
        Assert.Equal("$1\r\n2\r\n", logged.Call("GET", "a"));
        Assert.Equal("$1\r\n4\r\n", logged.Call("GET", "b"));
    }

    [Fact]
    public void A_sliding_expiry_can_be_read_but_is_not_renewed_while_the_log_cannot_be_written()
    {
        using LoggedServer logged = new(options => options.AppendFsync = AppendFsync.EverySecond);
        Assert.Equal("+OK\r\n", logged.Call("SET", "k", "v", "SLIDING", "100000"));
        AppendOnlyLog log = logged.Server.Server.Persistence.AppendOnly.Log!;
        LoggedServer.Await(() => log.Written == log.Appended);
        logged.Folder.WriteError = TroubledLogFolder.NoSpace;
        Assert.Equal("+OK\r\n", logged.Call("SET", "a", "1"));
        LoggedServer.Await(() => log.Problem is not null);
        string later = (logged.Server.NowMs + 50_000).ToString(System.Globalization.CultureInfo.InvariantCulture);
        Assert.Equal("$1\r\nv\r\n", logged.Call("GETEX", "k", "SLIDING", "FROM", later));
        Assert.Equal(":1\r\n", logged.Call("GETEX", "k", "SLIDING", "TOUCH"));
        Assert.Equal(":100000\r\n", logged.Call("PTTL", "k"));
        Assert.Equal(NoRoom, logged.Call("GETEX", "k", "PX", "100"));
        logged.Call("MULTI");
        logged.Call("GETEX", "k", "SLIDING");
        Assert.StartsWith("-EXECABORT Transaction discarded because of: MISCONF ", logged.Call("EXEC"), StringComparison.Ordinal);
        logged.Folder.WriteError = 0;
        LoggedServer.Await(() => log.Problem is null);
        Assert.Equal("$1\r\nv\r\n", logged.Call("GETEX", "k", "SLIDING", "FROM", later));
        Assert.Equal(":150000\r\n", logged.Call("PTTL", "k"));
    }

    [Fact]
    public void After_a_failed_sync_nothing_is_acknowledged_until_a_rewrite()
    {
        using LoggedServer logged = new();
        Assert.Equal("+OK\r\n", logged.Call("SET", "a", "1"));
        using InProcessClient writer = logged.Server.Connect();
        logged.Folder.SyncError = TroubledLogFolder.InputOutput;
        Assert.Equal("", LoggedServer.Call(writer, "SET", "a", "2"));
        Assert.True(writer.IsClosed);
        logged.Folder.SyncError = 0;
        Assert.Equal("-MISCONF Errors writing to the AOF file: Input/output error\r\n", logged.Call("SET", "a", "3"));
        Assert.Equal("$1\r\n2\r\n", logged.Call("GET", "a"));
        Assert.Equal("+Background append only file rewriting started\r\n", logged.Call("BGREWRITEAOF"));
        LoggedServer.Await(() => !logged.Server.Server.Persistence.AppendOnly.IsRewriting);
        Assert.Equal("+OK\r\n", logged.Call("SET", "b", "4"));
        Assert.Equal(2, logged.LogFiles.Count(name => !name.EndsWith(".log.000001", StringComparison.Ordinal)));
        logged.Restart();
        Assert.Equal("$1\r\n2\r\n", logged.Call("GET", "a"));
        Assert.Equal("$1\r\n4\r\n", logged.Call("GET", "b"));
    }

    [Fact]
    public void A_rewrite_leaves_a_snapshot_and_what_came_after_it()
    {
        using LoggedServer logged = new();
        for (int i = 0; i < 50; i++)
            logged.Call("SET", "a", $"{i}");
        Assert.Equal("+Background append only file rewriting started\r\n", logged.Call("BGREWRITEAOF"));
        LoggedServer.Await(() => !logged.Server.Server.Persistence.AppendOnly.IsRewriting);
        Assert.Equal(1, logged.Server.Server.Persistence.AppendOnly.Rewrites.Count);
        Assert.Equal(AppendOnlyState.On, logged.Server.Server.Persistence.AppendOnly.State);
        logged.Call("SET", "a", "after");
        string[] files = [.. logged.LogFiles.Order(StringComparer.Ordinal)];
        Assert.Equal(["appendonly.aof.000002.base.rdb", "appendonly.aof.000002.log.000000", "appendonly.aof.000002.log.000001"], files);
        string info = logged.Call("INFO", "persistence");
        Assert.Contains("aof_rewrites:1", info, StringComparison.Ordinal);
        Assert.Contains("aof_last_bgrewrite_status:ok", info, StringComparison.Ordinal);
        logged.Restart();
        Assert.Equal("$5\r\nafter\r\n", logged.Call("GET", "a"));
    }

    [Fact]
    public void The_log_can_be_turned_on_and_off_while_the_server_runs()
    {
        using LoggedServer logged = new(startsOn: false);
        Assert.Equal("+OK\r\n", logged.Call("SET", "a", "1"));
        Assert.Contains("aof_enabled:0", logged.Call("INFO", "persistence"), StringComparison.Ordinal);
        Assert.Equal("+OK\r\n", logged.Call("CONFIG", "SET", "appendonly", "yes"));
        LoggedServer.Await(() => logged.Server.Server.Persistence.AppendOnly.State == AppendOnlyState.On);
        Assert.Contains("aof_enabled:1", logged.Call("INFO", "persistence"), StringComparison.Ordinal);
        Assert.Equal("+OK\r\n", logged.Call("SET", "a", "2"));
        Assert.Equal("*2\r\n:1\r\n:0\r\n", logged.Call("WAITAOF", "1", "0", "0"));
        Assert.Equal("+OK\r\n", logged.Call("CONFIG", "SET", "appendonly", "no"));
        LoggedServer.Await(() => logged.Server.Server.Persistence.AppendOnly.State == AppendOnlyState.Off);
        Assert.Equal("+OK\r\n", logged.Call("SET", "a", "3"));
        Assert.Contains("appendonly.aof.000002.base.rdb", logged.Folder.List());
        logged.Restart(options => options.AppendOnly = true);
        Assert.Equal("$1\r\n2\r\n", logged.Call("GET", "a"));
    }

    [Fact]
    public void The_first_start_with_a_log_loads_the_snapshot()
    {
        using LoggedServer logged = new(startsOn: false);
        Assert.Equal("+OK\r\n", logged.Call("SET", "a", "1"));
        Assert.Equal("+OK\r\n", logged.Call("SAVE"));
        logged.Restart(options => options.AppendOnly = true);
        Assert.Equal("$1\r\n1\r\n", logged.Call("GET", "a"));
        Assert.Equal("+OK\r\n", logged.Call("SET", "b", "2"));
        File.Delete(Path.Combine(logged.Dir, "dump.rdb"));
        logged.Restart(options => options.AppendOnly = true);
        Assert.Equal("$1\r\n1\r\n", logged.Call("GET", "a"));
        Assert.Equal("$1\r\n2\r\n", logged.Call("GET", "b"));
    }

    [Fact]
    public void What_has_expired_since_the_snapshot_stays_expired()
    {
        using LoggedServer logged = new();
        Assert.Equal("+OK\r\n", logged.Call("SET", "a", "1", "PX", "100"));
        Assert.Equal("+OK\r\n", logged.Call("SET", "b", "1"));
        logged.Call("BGREWRITEAOF");
        LoggedServer.Await(() => !logged.Server.Server.Persistence.AppendOnly.IsRewriting);
        Assert.Equal(":2\r\n", logged.Call("APPEND", "a", "x"));
        long now = logged.Server.NowMs;
        logged.Server.Dispose();
        logged.RestartAt(now + 1000);
        Assert.Equal("$-1\r\n", logged.Call("GET", "a"));
        Assert.Equal(":1\r\n", logged.Call("EXISTS", "a", "b"));
    }

    [Fact]
    public void DEBUG_LOADAOF_brings_the_data_back_from_the_files()
    {
        using LoggedServer logged = new(options => options.EnableDebugCommand = CommandAccess.Yes);
        Assert.Equal("+OK\r\n", logged.Call("SET", "a", "1"));
        logged.Call("BGREWRITEAOF");
        LoggedServer.Await(() => !logged.Server.Server.Persistence.AppendOnly.IsRewriting);
        Assert.Equal("+OK\r\n", logged.Call("SET", "b", "2"));
        Assert.Equal("+OK\r\n", logged.Call("DEBUG", "LOADAOF"));
        Assert.Equal("*2\r\n$1\r\n1\r\n$1\r\n2\r\n", logged.Call("MGET", "a", "b"));
        Assert.Equal("+OK\r\n", logged.Call("SET", "c", "3"));
        logged.Restart();
        Assert.Equal(":3\r\n", logged.Call("DBSIZE"));
    }

    [Fact]
    public void DEBUG_LOADAOF_reads_what_a_rewrite_left_while_no_log_is_written()
    {
        using LoggedServer logged = new(options => options.EnableDebugCommand = CommandAccess.Yes, startsOn: false);
        logged.Call("SET", "a", "1");
        logged.Call("BGREWRITEAOF");
        LoggedServer.Await(() => !logged.Server.Server.Persistence.AppendOnly.IsRewriting);
        logged.Call("SET", "b", "2");
        Assert.Equal("+OK\r\n", logged.Call("DEBUG", "LOADAOF"));
        Assert.Equal("*2\r\n$1\r\n1\r\n$-1\r\n", logged.Call("MGET", "a", "b"));
        Assert.Contains("rdb_changes_since_last_save:0\r\n", logged.Call("INFO", "persistence"), StringComparison.Ordinal);
        Assert.Contains("aof_enabled:0\r\n", logged.Call("INFO", "persistence"), StringComparison.Ordinal);
    }

    [Fact]
    public void DEBUG_LOADAOF_keeps_the_data_when_the_log_fails_before_it_has_all_of_it()
    {
        using LoggedServer logged = new(static options => options.EnableDebugCommand = CommandAccess.Yes);
        logged.Call("SET", "a", "1");
        using InProcessClient first = logged.Server.Connect();
        using InProcessClient second = logged.Server.Connect();
        using InProcessClient reader = logged.Server.Connect();
        logged.Folder.SyncsRun.Reset();
        AppendOnlyLog log = logged.Server.Server.Persistence.AppendOnly.Log!;
        first.Send(InProcessClient.Request("SET", "a", "2"));
        // The log's thread has taken this one, and is in its sync: what follows stays in memory.
        LoggedServer.Await(() => log.StagedBytes == 0);
        second.Send(InProcessClient.Request("SET", "b", "2"));
        logged.Client.Send(InProcessClient.Request("DEBUG", "LOADAOF"));
        LoggedServer.Await(() => logged.Server.Server.Persistence.IsLoading);
        logged.Folder.SyncError = TroubledLogFolder.InputOutput;
        logged.Folder.SyncsRun.Set();
        // As after any failed sync, nobody whose reply waits for the log gets one.
        Assert.Equal("", LoggedServer.Await(logged.Client));
        LoggedServer.Await(() => !logged.Server.Server.Persistence.IsLoading);
        Assert.Equal("$1\r\n2\r\n", reader.Call("GET", "a"));
        Assert.Equal("$1\r\n2\r\n", reader.Call("GET", "b"));
        // A rewrite brings a new log, which has all of it.
        logged.Folder.SyncError = 0;
        Assert.StartsWith("+Background append only file rewriting", reader.Call("BGREWRITEAOF"), StringComparison.Ordinal);
        LoggedServer.Await(() => logged.Server.Server.Persistence.AppendOnly is { IsRewriting: false, DenyingProblem: null });
        Assert.Equal("+OK\r\n", LoggedServer.Call(reader, "SET", "c", "3"));
        logged.Restart();
        Assert.Equal(":3\r\n", logged.Call("DBSIZE"));
    }

    [Fact]
    public void DEBUG_LOADAOF_needs_a_log()
    {
        using LoggedServer logged = new(options => options.EnableDebugCommand = CommandAccess.Yes, startsOn: false);
        Assert.Equal("+OK\r\n", logged.Call("SET", "a", "1"));
        Assert.Equal("-ERR Error trying to load the AOF files, check server logs.\r\n", logged.Call("DEBUG", "LOADAOF"));
        Assert.Equal("$1\r\n1\r\n", logged.Call("GET", "a"));
    }

    [Fact]
    public void A_damaged_log_is_rejected_with_the_offset()
    {
        using LoggedServer logged = new();
        for (int i = 0; i < 10; i++)
            logged.Call("SET", "a", $"{i}");
        logged.Server.Dispose();
        string file = Path.Combine(logged.Folder.Path, "appendonly.aof.000001.log.000000");
        byte[] bytes = File.ReadAllBytes(file);
        bytes[300] ^= 1;
        File.WriteAllBytes(file, bytes);
        AppendOnlyLogException refusal = Assert.Throws<AppendOnlyLogException>(() => logged.RestartAt(0));
        Assert.Equal(file, refusal.File);
        Assert.InRange(refusal.Position, 1, 300);
    }

    [Fact]
    public void Growth_triggers_a_rewrite()
    {
        using LoggedServer logged = new(options => options.AutoAofRewriteMinSizeBytes = 100_000);
        string value = new('x', 10_000);
        for (int i = 0; i < 20; i++)
            logged.Call("SET", "a", value);
        Assert.Equal(0, logged.Server.Server.Persistence.AppendOnly.Rewrites.Count);
        logged.Server.Clock.Advance(TimeSpan.FromSeconds(1));
        LoggedServer.Await(() => logged.Server.Server.Persistence.AppendOnly.Rewrites.Count == 1);
        LoggedServer.Await(() => !logged.Server.Server.Persistence.AppendOnly.IsRewriting);
        Assert.InRange(logged.Server.Server.Persistence.AppendOnly.CurrentBytes, 1, 50_000);
    }

    [Fact]
    public void A_log_that_grows_between_many_starts_is_rewritten_too()
    {
        using LoggedServer logged = new(options => options.AutoAofRewriteMinSizeBytes = 100_000);
        logged.Call("SET", "a", "1");
        logged.Call("BGREWRITEAOF");
        LoggedServer.Await(() => logged.Server.Server.Persistence.AppendOnly is { IsRewriting: false, Rewrites.Count: 1 });
        string value = new('x', 10_000);
        for (int start = 0; start < 4; start++)
        {
            for (int i = 0; i < 5; i++)
                logged.Call("SET", "a", value);
            logged.Restart();
            Assert.Equal(0, logged.Server.Server.Persistence.AppendOnly.Rewrites.Count);
        }

        logged.Server.Clock.Advance(TimeSpan.FromSeconds(1));
        LoggedServer.Await(() => logged.Server.Server.Persistence.AppendOnly is { IsRewriting: false, Rewrites.Count: 1 });
        Assert.InRange(logged.Server.Server.Persistence.AppendOnly.CurrentBytes, 1, 50_000);
    }

    [Fact]
    public void Files_of_a_killed_rewrite_are_deleted_by_the_next_start()
    {
        using LoggedServer logged = new();
        logged.Call("SET", "a", "1");
        File.WriteAllText(Path.Combine(logged.Folder.Path, "appendonly.aof.000002.base.rdb.tmp"), "half");
        File.WriteAllText(Path.Combine(logged.Folder.Path, "somebody.tmp"), "else's");
        logged.Restart();
        Assert.Equal("$1\r\n1\r\n", logged.Call("GET", "a"));
        Assert.Equal(["somebody.tmp"], logged.Folder.List().Where(static file => file.EndsWith(".tmp", StringComparison.Ordinal)));
    }

    [Fact]
    public void Effects_too_long_for_the_log_are_refused_before_anything_changes()
    {
        using LoggedServer logged = new();
        logged.Server.Server.Executor.Gates.Size.MaxEffectBytes = 10_000;
        Assert.Equal(TooLong, logged.Call("MSET", "a", new string('x', 6000), "b", new string('x', 6000)));
        Assert.Equal(":0\r\n", logged.Call("EXISTS", "a", "b"));
        Assert.Equal("+OK\r\n", logged.Call("MULTI"));
        Assert.Equal("+QUEUED\r\n", logged.Call("SET", "a", new string('x', 6000)));
        Assert.Equal(TooLong, logged.Call("SET", "b", new string('x', 6000)));
        Assert.Equal("-EXECABORT Transaction discarded because of previous errors.\r\n", logged.Call("EXEC"));
        Assert.Equal(":0\r\n", logged.Call("EXISTS", "a", "b"));
        // Read-only commands do not concern the log, and without a log no command does.
        Assert.Equal("$-1\r\n", logged.Call("GET", new string('k', 12_000)));
        Assert.Equal("+OK\r\n", logged.Call("SET", "c", new string('x', 9000)));
        Assert.Equal("+OK\r\n", logged.Call("CONFIG", "SET", "appendonly", "no"));
        LoggedServer.Await(() => logged.Server.Server.Persistence.AppendOnly.Log is null);
        Assert.Equal("+OK\r\n", logged.Call("MSET", "a", new string('x', 6000), "b", new string('x', 6000)));
    }

    [Fact]
    public void Members_too_long_to_be_logged_together_are_not_popped()
    {
        using LoggedServer logged = new();
        logged.Server.Server.Executor.Gates.Size.MaxEffectBytes = 10_000;
        string[] members = [.. Enumerable.Range(0, 5).Select(static i => new string((char)('a' + i), 4000))];
        foreach (string member in members)
            Assert.Equal(":1\r\n", logged.Call("SADD", "s", member));
        string before = logged.Call("SORT", "s", "ALPHA");
        Assert.Equal(TooLong, logged.Call("SPOP", "s", "3"));
        Assert.Equal(":5\r\n", logged.Call("SCARD", "s"));
        Assert.Equal(before, logged.Call("SORT", "s", "ALPHA"));
        Assert.StartsWith("*2\r\n$4000\r\n", logged.Call("SPOP", "s", "2"), StringComparison.Ordinal);
        Assert.StartsWith("$4000\r\n", logged.Call("SPOP", "s"), StringComparison.Ordinal);
        string left = logged.Call("SORT", "s", "ALPHA");
        // All of them are one DEL.
        Assert.Equal(":3\r\n", logged.Call("SADD", "t", members[0], members[1], "c"));
        Assert.Equal(":1\r\n", logged.Call("SADD", "t", members[2]));
        Assert.StartsWith("*4\r\n", logged.Call("SPOP", "t", "4"), StringComparison.Ordinal);
        logged.Restart();
        Assert.Equal(left, logged.Call("SORT", "s", "ALPHA"));
        Assert.Equal(":2\r\n", logged.Call("SCARD", "s"));
        Assert.Equal(":0\r\n", logged.Call("EXISTS", "t"));
    }

    [Fact]
    public void The_pops_of_a_transaction_are_logged_together()
    {
        using LoggedServer logged = new();
        logged.Server.Server.Executor.Gates.Size.MaxEffectBytes = 10_000;
        for (int i = 0; i < 5; i++)
            Assert.Equal(":1\r\n", logged.Call("SADD", "s", new string((char)('a' + i), 4000)));
        Assert.Equal("+OK\r\n", logged.Call("MULTI"));
        for (int i = 0; i < 3; i++)
            Assert.Equal("+QUEUED\r\n", logged.Call("SPOP", "s"));
        string reply = logged.Call("EXEC");
        Assert.StartsWith("*3\r\n$4000\r\n", reply, StringComparison.Ordinal);
        Assert.EndsWith(TooLong, reply, StringComparison.Ordinal);
        Assert.Equal(":3\r\n", logged.Call("SCARD", "s"));
        string left = logged.Call("SORT", "s", "ALPHA");
        logged.Restart();
        Assert.Equal(left, logged.Call("SORT", "s", "ALPHA"));
    }

    // Each entry that is delivered or claimed is logged with the names of key, group and consumer.
    [Theory]
    [InlineData("XREADGROUP", "GROUP", "g", "c", "STREAMS", "s", ">")]
    [InlineData("XCLAIM", "s", "g", "d", "0", "1-1", "2-1", "3-1", "4-1", "5-1")]
    [InlineData("XAUTOCLAIM", "s", "g", "d", "0", "0")]
    public void Entries_whose_deliveries_are_too_long_to_be_logged_together_are_not_delivered(params string[] request)
    {
        using LoggedServer logged = new();
        string group = new('g', 2000);
        for (int i = 1; i <= 5; i++)
            logged.Call("XADD", "s", $"{i}-1", "f", "v");
        Assert.Equal("+OK\r\n", logged.Call("XGROUP", "CREATE", "s", group, "0"));
        if (request[0] != "XREADGROUP")
            Assert.StartsWith("*1\r\n", logged.Call("XREADGROUP", "GROUP", group, "c", "STREAMS", "s", ">"), StringComparison.Ordinal);
        string[] changed = [.. request.Select(word => word == "g" ? group : word)];
        string before = logged.Call("XINFO", "STREAM", "s", "FULL");
        logged.Server.Server.Executor.Gates.Size.MaxEffectBytes = 10_000;
        Assert.Equal(TooLong, logged.Call(changed));
        Assert.Equal(before, logged.Call("XINFO", "STREAM", "s", "FULL"));
        logged.Server.Server.Executor.Gates.Size.MaxEffectBytes = 100_000;
        Assert.DoesNotContain("-ERR", logged.Call(changed), StringComparison.Ordinal);
        Assert.NotEqual(before, logged.Call("XINFO", "STREAM", "s", "FULL"));
    }

    [Fact]
    public void Entries_delivered_before_do_not_count_towards_what_must_be_logged()
    {
        using LoggedServer logged = new();
        string group = new('g', 2000);
        for (int i = 1; i <= 20; i++)
            logged.Call("XADD", "s", $"{i}-1", "f", "v");
        Assert.Equal("+OK\r\n", logged.Call("XGROUP", "CREATE", "s", group, "18-1"));
        logged.Server.Server.Executor.Gates.Size.MaxEffectBytes = 10_000;
        Assert.StartsWith("*1\r\n", logged.Call("XREADGROUP", "GROUP", group, "c", "STREAMS", "s", ">"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_failed_deletion_after_a_rewrite_is_reported_and_the_server_continues()
    {
        using LoggedServer logged = new();
        Assert.Equal("+OK\r\n", logged.Call("SET", "a", "1"));
        logged.Folder.DeleteError = TroubledLogFolder.InputOutput;
        logged.Call("BGREWRITEAOF");
        LoggedServer.Await(() =>
            logged.Server.Server.Persistence.AppendOnly.Rewrites.Count == 1 && !logged.Server.Server.Persistence.AppendOnly.IsRewriting
        );
        Assert.Contains("aof_last_bgrewrite_status:ok", logged.Call("INFO", "persistence"), StringComparison.Ordinal);
        Assert.Equal("+OK\r\n", logged.Call("SET", "b", "2"));
        Assert.Contains("appendonly.aof.000001.log.000000", logged.Folder.List());
        logged.Folder.DeleteError = 0;
        logged.Restart();
        Assert.Equal("$1\r\n1\r\n", logged.Call("GET", "a"));
        Assert.Equal("$1\r\n2\r\n", logged.Call("GET", "b"));
        Assert.DoesNotContain("appendonly.aof.000001.log.000000", logged.Folder.List());
    }

    [Fact]
    public void A_disk_too_full_for_the_manifest_keeps_what_the_old_one_names_until_there_is_room()
    {
        using LoggedServer logged = new();
        Assert.Equal("+OK\r\n", logged.Call("SET", "a", "1"));
        logged.Folder.ManifestError = TroubledLogFolder.NoSpace;
        logged.Call("BGREWRITEAOF");
        LoggedServer.Await(() => logged.Call("INFO", "persistence").Contains("aof_last_bgrewrite_status:err", StringComparison.Ordinal));
        Assert.Equal("+OK\r\n", logged.Call("SET", "b", "2"));
        Assert.Contains("appendonly.aof.000001.log.000000", logged.Folder.List());
        logged.Restart();
        Assert.Equal("$1\r\n1\r\n", logged.Call("GET", "a"));
        Assert.Equal("$1\r\n2\r\n", logged.Call("GET", "b"));
        logged.Call("BGREWRITEAOF");
        LoggedServer.Await(() => logged.Call("INFO", "persistence").Contains("aof_rewrites:1\r\n", StringComparison.Ordinal));
        Assert.DoesNotContain("appendonly.aof.000001.log.000000", logged.Folder.List());
    }

    [Fact]
    public void Turning_the_log_on_with_a_full_disk_is_refused()
    {
        using LoggedServer logged = new(startsOn: false);
        Assert.Equal("+OK\r\n", logged.Call("SET", "a", "1"));
        logged.FutureWriteError = TroubledLogFolder.NoSpace;
        Assert.Equal(
            "-ERR CONFIG SET failed (possibly related to argument 'appendonly') - No space left on device\r\n",
            logged.Call("CONFIG", "SET", "appendonly", "yes")
        );
        Assert.Contains("aof_enabled:0", logged.Call("INFO", "persistence"), StringComparison.Ordinal);
        Assert.Equal("*2\r\n$10\r\nappendonly\r\n$2\r\nno\r\n", logged.Call("CONFIG", "GET", "appendonly"));
        Assert.Equal("+OK\r\n", logged.Call("SET", "a", "1"));
        logged.FutureWriteError = 0;
        Assert.Equal("+OK\r\n", logged.Call("CONFIG", "SET", "appendonly", "yes"));
        Assert.Contains("aof_enabled:1", logged.Call("INFO", "persistence"), StringComparison.Ordinal);
        Assert.Equal("+OK\r\n", logged.Call("SET", "b", "2"));
        LoggedServer.Await(() => logged.Server.Server.Persistence.AppendOnly.State == AppendOnlyState.On);
        logged.Restart(options => options.AppendOnly = true);
        Assert.Equal("$1\r\n1\r\n", logged.Call("GET", "a"));
        Assert.Equal("$1\r\n2\r\n", logged.Call("GET", "b"));
    }

    [Fact]
    public async Task Turning_the_log_on_and_off_by_several_clients_takes_effect_in_the_order_of_the_replies()
    {
        using LoggedServer logged = new(startsOn: false);
        AppendOnly log = logged.Server.Server.Persistence.AppendOnly;
        string[][] rounds =
        [
            ["yes", "no", "yes"],
            ["no", "yes", "no"],
            ["yes", "yes", "no", "no", "yes"],
        ];
        foreach (string[] values in rounds)
        {
            InProcessClient[] clients = [.. values.Select(_ => logged.Server.Connect())];
            for (int i = 0; i < values.Length; i++)
                clients[i].Send(InProcessClient.Request("CONFIG", "SET", "appendonly", values[i]));
            foreach (InProcessClient client in clients)
                Assert.Equal("+OK\r\n", await Task.Run(() => LoggedServer.Await(client)));
            string last = values[^1];
            Assert.Equal(last == "yes", log.Log is not null);
            Assert.Equal($"*2\r\n$10\r\nappendonly\r\n${last.Length}\r\n{last}\r\n", logged.Call("CONFIG", "GET", "appendonly"));
            Assert.Contains($"aof_enabled:{(last == "yes" ? 1 : 0)}\r\n", logged.Call("INFO", "persistence"), StringComparison.Ordinal);
        }

        Assert.Equal("+OK\r\n", logged.Call("SET", "a", "logged"));
        Assert.Equal("*2\r\n:1\r\n:0\r\n", logged.Call("WAITAOF", "1", "0", "0"));
        LoggedServer.Await(() => log.State == AppendOnlyState.On);
        logged.Restart(options => options.AppendOnly = true);
        Assert.Equal("$6\r\nlogged\r\n", logged.Call("GET", "a"));
    }

    [Fact]
    public void The_log_is_on_when_the_reply_comes_although_a_snapshot_is_being_saved()
    {
        using LoggedServer logged = new(options => options.CheckpointThrottleFlushDelayMs = 1000, startsOn: false);
        for (int i = 0; i < 100; i++)
            logged.Call("SET", $"k{i}", new string('x', 30_000));
        logged.Call("BGSAVE");
        Assert.Equal("+OK\r\n", logged.Call("CONFIG", "SET", "appendonly", "yes"));
        Assert.NotNull(logged.Server.Server.Persistence.AppendOnly.Log);
        Assert.NotNull(logged.Server.Server.Persistence.Snapshots.Saver.Progress);
        Assert.Equal("+OK\r\n", logged.Call("CONFIG", "SET", "appendonly", "no"));
        Assert.Null(logged.Server.Server.Persistence.AppendOnly.Log);
        Assert.NotNull(logged.Server.Server.Persistence.Snapshots.Saver.Progress);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_start_with_a_full_disk_serves_reads_and_rejects_writes_until_there_is_space(bool changesMeanwhile)
    {
        using LoggedServer logged = new();
        logged.Call("SET", "a", "1");
        logged.Call("SET", "counter", "5", "PX", "1000");
        long expiresAt = logged.Server.NowMs + 1000;
        logged.FutureWriteError = TroubledLogFolder.NoSpace;
        logged.Server.Dispose();
        logged.RestartAt(expiresAt - 500);
        Assert.Equal("$1\r\n1\r\n", logged.Call("GET", "a"));
        Assert.StartsWith("-MISCONF Errors writing to the AOF file: No space left", logged.Call("SET", "a", "2"), StringComparison.Ordinal);
        string info = logged.Call("INFO", "persistence");
        Assert.Contains("aof_enabled:1\r\n", info, StringComparison.Ordinal);
        Assert.Contains("aof_last_write_status:err\r\n", info, StringComparison.Ordinal);

        // What expires meanwhile is hidden, and its DEL is logged once there is a log.
        logged.Server.Clock.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal("$-1\r\n", logged.Call("GET", "counter"));
        if (changesMeanwhile)
            PutUnlogged(logged.Server, "received");
        Assert.StartsWith("-MISCONF", logged.Call("INCR", "counter"), StringComparison.Ordinal);
        logged.FutureWriteError = 0;
        logged.AwaitInTime(() => logged.Call("INCR", "counter") == ":1\r\n", LoggedServer.RetryMs);
        Assert.Contains("aof_last_write_status:ok\r\n", logged.Call("INFO", "persistence"), StringComparison.Ordinal);
        Assert.Equal("+OK\r\n", logged.Call("SET", "b", "3"));
        LoggedServer.Await(() => logged.Server.Server.Persistence.AppendOnly.State == AppendOnlyState.On);
        logged.Restart();
        Assert.Equal("$1\r\n1\r\n", logged.Call("GET", "a"));
        Assert.Equal("$1\r\n1\r\n", logged.Call("GET", "counter"));
        Assert.Equal("$1\r\n3\r\n", logged.Call("GET", "b"));
        Assert.Equal(changesMeanwhile ? "+string\r\n" : "+none\r\n", logged.Call("TYPE", "received"));
    }

    [Fact]
    public void What_a_primary_sends_while_the_log_of_a_full_disk_is_opened_again_is_in_its_new_base()
    {
        using LoggedServer logged = new();
        logged.Call("SET", "a", "1");
        logged.FutureWriteError = TroubledLogFolder.NoSpace;
        logged.Restart();
        Assert.StartsWith("-MISCONF", logged.Call("SET", "a", "2"), StringComparison.Ordinal);
        logged.FutureWriteError = 0;
        int opened = 0;
        logged.WhenFolderOpens = () =>
        {
            if (Interlocked.Increment(ref opened) == 1)
                PutUnlogged(logged.Server, "received");
        };
        logged.AwaitInTime(
            () => logged.Server.Server.Persistence.AppendOnly is { State: AppendOnlyState.On, IsRewriting: false },
            LoggedServer.RetryMs
        );
        Assert.Equal("+OK\r\n", logged.Call("SET", "b", "3"));
        logged.Restart();
        Assert.Equal(":3\r\n", logged.Call("DBSIZE"));
        Assert.Equal("+string\r\n", logged.Call("TYPE", "received"));
    }

    // As the stream of a primary does, which no state of the server keeps out.
    private static void PutUnlogged(InProcessServer server, string key)
    {
        using StoreSession session = server.Store.OpenSession();
        session.EnterBatch();
        byte[] bytes = Encoding.ASCII.GetBytes(key);
        session.Open(bytes, session.Hash(bytes)).Set("x"u8);
        session.LeaveBatch();
    }
}
