// SAVE, BGSAVE, LASTSAVE and the files they write, over sockets. One server and folder per test.
using System.Diagnostics;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Saving;

public sealed class SaveCommandTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-save-").FullName;

    private string File => Path.Combine(_folder, "dump.rdb");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void SAVE_answers_when_the_snapshot_is_on_disk()
    {
        using TestServer server = Start();
        using RespExchange client = server.Connect();
        Fill(client, 2000);
        Assert.Equal("+OK\r\n", client.ExecuteText("SAVE"));
        Assert.True(new FileInfo(File).Length > 2000);
        Assert.Equal([File], Directory.GetFiles(_folder));
        Assert.Contains("rdb_last_save_keys:2000\r\n", Info(client), StringComparison.Ordinal);
        Assert.Contains("rdb_changes_since_last_save:0\r\n", Info(client), StringComparison.Ordinal);
        client.ExecuteText("SET", "one", "more");
        Assert.Contains("rdb_changes_since_last_save:1\r\n", Info(client), StringComparison.Ordinal);
    }

    [Fact]
    public void BGSAVE_answers_at_once_and_only_one_runs_at_a_time()
    {
        using TestServer server = Start(SaveSlowly);
        using RespExchange client = server.Connect();
        Fill(client, 5000, 1000);
        Assert.Equal("+Background saving started\r\n", client.ExecuteText("BGSAVE"));
        Assert.Equal("-ERR Background save already in progress\r\n", client.ExecuteText("BGSAVE"));
        Assert.Equal("-ERR Background save already in progress\r\n", client.ExecuteText("BGSAVE", "SCHEDULE"));
        Assert.Equal("-ERR Background save already in progress\r\n", client.ExecuteText("SAVE"));
        Assert.Contains("rdb_bgsave_in_progress:1\r\n", Info(client), StringComparison.Ordinal);
        client.ExecuteText("CONFIG", "SET", "checkpoint-throttle-flush-delay-ms", "-1");
        WaitForEnd(client);
        Assert.Contains("rdb_last_bgsave_status:ok\r\n", Info(client), StringComparison.Ordinal);
        Assert.True(new FileInfo(File).Length > 5_000_000);
    }

    [Fact]
    public void BGSAVE_CANCEL_keeps_the_previous_file_and_the_next_save_is_complete()
    {
        using TestServer server = Start(SaveSlowly);
        using RespExchange client = server.Connect();
        Assert.Equal("-ERR Background saving is currently not in progress or scheduled\r\n", client.ExecuteText("BGSAVE", "CANCEL"));
        Assert.Equal("-ERR syntax error\r\n", client.ExecuteText("BGSAVE", "NOW"));
        Fill(client, 5000, 1000);
        Assert.Equal("+OK\r\n", client.ExecuteText("SAVE"));
        byte[] before = System.IO.File.ReadAllBytes(File);
        client.ExecuteText("SET", "one", "more");
        client.ExecuteText("BGSAVE");
        client.ExecuteText("SET", "key:1", "changed");
        Assert.Equal("+Background saving cancelled\r\n", client.ExecuteText("BGSAVE", "CANCEL"));
        WaitForEnd(client);
        Assert.Equal(before, System.IO.File.ReadAllBytes(File));
        Assert.Equal([File], Directory.GetFiles(_folder));
        Assert.Contains("rdb_last_bgsave_status:ok\r\n", Info(client), StringComparison.Ordinal);
        Assert.Equal("+OK\r\n", client.ExecuteText("SAVE"));
        Assert.Contains("rdb_last_save_keys:5001\r\n", Info(client), StringComparison.Ordinal);
    }

    [Fact]
    public void FLUSHALL_cancels_a_running_save()
    {
        using TestServer server = Start(SaveSlowly);
        using RespExchange client = server.Connect();
        Fill(client, 5000, 1000);
        client.ExecuteText("BGSAVE");
        Assert.Equal("+OK\r\n", client.ExecuteText("FLUSHALL"));
        WaitForEnd(client);
        Assert.Empty(Directory.GetFiles(_folder));
        Assert.Equal("+OK\r\n", client.ExecuteText("SAVE"));
        Assert.Contains("rdb_last_save_keys:0\r\n", Info(client), StringComparison.Ordinal);
    }

    [Fact]
    public void With_a_schedule_FLUSHALL_replies_after_saving_an_empty_snapshot()
    {
        using TestServer server = Start(options => options.Save = [new(3600, 1)]);
        using RespExchange client = server.Connect();
        Fill(client, 2000);
        Assert.Equal("+OK\r\n", client.ExecuteText("SAVE"));
        client.ExecuteText("SET", "one", "more");
        Assert.Equal("+OK\r\n", client.ExecuteText("FLUSHALL"));
        Assert.Contains("rdb_changes_since_last_save:0\r\n", Info(client), StringComparison.Ordinal);
        Assert.Contains("rdb_last_save_keys:0\r\n", Info(client), StringComparison.Ordinal);
        Assert.True(new FileInfo(File).Length < 2000);

        // No save is left in progress that would interfere with the next one.
        Assert.Equal("+OK\r\n", client.ExecuteText("SAVE"));
        Fill(client, 5000, 1000);
        client.ExecuteText("CONFIG", "SET", "checkpoint-throttle-flush-delay-ms", "200");
        Assert.Equal("+Background saving started\r\n", client.ExecuteText("BGSAVE"));
        Assert.Equal("+OK\r\n", client.ExecuteText("FLUSHALL"));
        Assert.Contains("rdb_last_save_keys:0\r\n", Info(client), StringComparison.Ordinal);
        client.ExecuteText("SET", "a", "b");
        client.ExecuteText("MULTI");
        client.ExecuteText("FLUSHALL");
        Assert.Equal("*1\r\n+OK\r\n", client.ExecuteText("EXEC"));
        WaitUntil(client, "rdb_changes_since_last_save:0\r\n");
    }

    [Fact]
    public void Inside_a_transaction_BGSAVE_is_scheduled_and_SAVE_refused()
    {
        using TestServer server = Start();
        using RespExchange client = server.Connect();
        client.ExecuteText("MULTI");
        Assert.Equal("-ERR Command 'save' not allowed inside a transaction\r\n", client.ExecuteText("SAVE"));
        client.ExecuteText("DISCARD");
        client.ExecuteText("MULTI");
        client.ExecuteText("SET", "a", "b");
        client.ExecuteText("BGSAVE");
        Assert.Equal("*2\r\n+OK\r\n+Background saving scheduled\r\n", client.ExecuteText("EXEC"));
        WaitUntil(client, "rdb_last_save_keys:1\r\n");
    }

    [Fact]
    public void The_schedule_saves_after_enough_changes()
    {
        using TestServer server = Start(options => options.Save = [new(3600, 1), new(1, 100)]);
        using RespExchange client = server.Connect();
        Assert.Equal("*2\r\n$4\r\nsave\r\n$12\r\n3600 1 1 100\r\n", client.ExecuteText("CONFIG", "GET", "save"));
        Fill(client, 100);
        WaitUntil(client, "rdb_last_save_keys:100\r\n");
        Assert.True(System.IO.File.Exists(File));
    }

    [Fact]
    public void A_failed_save_is_reported_and_counted_and_blocks_writes_until_one_succeeds()
    {
        string folder = Path.Combine(_folder, "gone");
        Directory.CreateDirectory(folder);
        using TestServer server = Start(options =>
        {
            options.Dir = folder;
            options.Save = [new(3600, 1)];
        });
        using RespExchange client = server.Connect();
        string lastSave = client.ExecuteText("LASTSAVE");
        Directory.Delete(folder, recursive: true);
        Assert.StartsWith("-ERR ", client.ExecuteText("SAVE"), StringComparison.Ordinal);
        Assert.Contains("rdb_last_bgsave_status:err\r\n", Info(client), StringComparison.Ordinal);
        Assert.Contains("rdb_save_failures:1\r\n", Info(client), StringComparison.Ordinal);
        Assert.Equal(lastSave, client.ExecuteText("LASTSAVE"));
        Assert.StartsWith("-MISCONF ", client.ExecuteText("SET", "a", "b"), StringComparison.Ordinal);
        Assert.StartsWith("-MISCONF ", client.ExecuteText("PING"), StringComparison.Ordinal);
        Assert.Equal("$-1\r\n", client.ExecuteText("GET", "a"));
        client.ExecuteText("CONFIG", "SET", "stop-writes-on-bgsave-error", "no");
        Assert.Equal("+OK\r\n", client.ExecuteText("SET", "a", "b"));
        client.ExecuteText("CONFIG", "SET", "stop-writes-on-bgsave-error", "yes");
        Assert.StartsWith("-MISCONF ", client.ExecuteText("SET", "a", "c"), StringComparison.Ordinal);
        Directory.CreateDirectory(folder);
        Assert.Equal("+OK\r\n", client.ExecuteText("SAVE"));
        Assert.Equal("+OK\r\n", client.ExecuteText("SET", "a", "c"));
        Assert.Equal("+PONG\r\n", client.ExecuteText("PING"));
    }

    private TestServer Start(Action<GarnetOptions>? configure = null) =>
        TestServer.Start(options =>
        {
            options.Dir = _folder;
            configure?.Invoke(options);
        });

    private static void Fill(RespExchange client, int keys, int bytes = 10)
    {
        string value = new('v', bytes);
        for (int i = 0; i < keys; i++)
            client.ExecuteText("SET", "key:" + i, value);
    }

    private static string Info(RespExchange client) => client.ExecuteText("INFO", "persistence");

    // Five pieces take five seconds, unless something ends them.
    private static void SaveSlowly(GarnetOptions options) => options.CheckpointThrottleFlushDelayMs = 1000;

    private static void WaitForEnd(RespExchange client) => WaitUntil(client, "rdb_bgsave_in_progress:0\r\n");

    private static void WaitUntil(RespExchange client, string line)
    {
        long start = Stopwatch.GetTimestamp();
        while (!Info(client).Contains(line, StringComparison.Ordinal))
        {
            Assert.True(Stopwatch.GetElapsedTime(start) < Patience, $"{line.Trim()} does not come:\n{Info(client)}");
            Thread.Sleep(20);
        }
    }
}
