// A disk that does not respond for a while: clients that need it wait, the others do not, and memory stays bounded. Each test has its own
// server.
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Rdb;
using Garnet.Persistence.Snapshots;
using Garnet.Testing;
using Xunit;

namespace Garnet.Server.Tests.Persistence;

public sealed class StuckDiskTests
{
    private const int Megabyte = 1 << 20;
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    [Fact]
    public void While_the_disk_of_the_log_is_stuck_readers_are_served_and_writers_wait_when_the_buffer_is_full()
    {
        const int keys = 400;
        const int valueBytes = 100_000;
        using LoggedServer logged = new(options => options.AppendFsync = AppendFsync.EverySecond);
        Assert.Equal("+OK\r\n", logged.Call("SET", "read", "me"));
        using InProcessClient writer = logged.Server.Connect();
        logged.Folder.WritesRun.Reset();
        try
        {
            writer.Send([
                .. Enumerable.Range(0, keys).SelectMany(i => InProcessClient.Request("SET", $"key:{i}", new string('v', valueBytes))),
            ]);
            AppendOnlyLog log = logged.Server.Server.Persistence.AppendOnly.Log!;
            Assert.False(log.HasSpace);
            Assert.InRange(log.StagedBytes, 1, (16 * Megabyte) + (2 * valueBytes));
            Assert.InRange(logged.Server.Store.Databases.KeyCount(0), 100, keys - 1);
            Assert.Equal("$2\r\nme\r\n", logged.Server.Client.Call("GET", "read"));
        }
        finally
        {
            logged.Folder.WritesRun.Set();
        }

        LoggedServer.Await(() => logged.Server.Store.Databases.KeyCount(0) == keys + 1);
        logged.Restart();
        Assert.Equal($":{keys + 1}\r\n", logged.Call("DBSIZE"));
    }

    [Fact]
    public void The_maximum_number_of_calls_is_answered_during_one_sync_of_the_log()
    {
        const int calls = 1000;
        using LoggedServer logged = new(options => options.AppendFsync = AppendFsync.EverySecond);
        AppendOnlyLog log = logged.Server.Server.Persistence.AppendOnly.Log!;
        InProcessClient client = logged.Client;
        logged.Folder.SyncsRun.Reset();
        try
        {
            Assert.Equal("+OK\r\n", client.Call("SET", "read", "me"));
            LoggedServer.Await(() => log.IsSyncing);
            long durable = log.Durable;
            for (int i = 0; i < calls; i++)
            {
                Assert.Equal("$2\r\nme\r\n", client.Call("GET", "read"));
                Assert.Equal($":{i + 1}\r\n", client.Call("INCR", "written"));
            }

            Assert.True(log.IsSyncing);
            Assert.Equal(durable, log.Durable);
        }
        finally
        {
            logged.Folder.SyncsRun.Set();
        }

        LoggedServer.Await(() => log.IsDurable);
    }

    [Fact]
    public void While_the_disk_of_a_snapshot_is_stuck_readers_are_served_and_writers_wait_when_the_pool_is_full()
    {
        const int keys = 1500;
        const int valueBytes = 10_000;
        const string path = "/data/dump.rdb";
        FaultyDisk disk = new();
        using ManualResetEventSlim goOn = new();
        using ManualResetEventSlim isStuck = new();
        disk.Fail = (_, step) =>
        {
            if (step == "write")
            {
                isStuck.Set();
                goOn.Wait(Patience);
            }

            return null;
        };
        using InProcessServer server = new(
            options =>
            {
                options.Dir = "/data";
                options.CheckpointThrottleFlushDelayMs = -1;
            },
            disk: disk
        );
        try
        {
            server.Client.Send(Fill(keys, new string('o', valueBytes)));
            server.Client.Receive();
            Assert.Equal("+Background saving started\r\n", server.Call("BGSAVE"));
            Assert.True(isStuck.Wait(Patience));
            using InProcessClient writer = server.Connect();
            writer.Send(Fill(keys, new string('n', valueBytes)));
            Assert.Equal($"${valueBytes}\r\n{new string('n', valueBytes)}\r\n", server.Call("GET", "key:0"));
            Assert.Equal($"${valueBytes}\r\n{new string('o', valueBytes)}\r\n", server.Call("GET", $"key:{keys - 1}"));
            goOn.Set();
            Assert.True(SpinWait.SpinUntil(() => server.Server.Persistence.Snapshots.LastOutcome is not null, Patience));
            Assert.True(SpinWait.SpinUntil(() => server.Call("GET", $"key:{keys - 1}")[^3] == 'n', Patience));
        }
        finally
        {
            goOn.Set();
        }

        SaveOutcome outcome = server.Server.Persistence.Snapshots.LastOutcome!;
        Assert.Equal(SaveResult.Success, outcome.Result);
        Assert.InRange(outcome.PeakImageBytes, 4 * Megabyte, 9 * Megabyte);
        using InProcessServer loaded = new();
        new RdbLoader(loaded.Store, new RdbLoadOptions()).Load(new MemoryStream(disk.Read(path)!));
        for (int i = 0; i < keys; i++)
            Assert.Equal($"${valueBytes}\r\n{new string('o', valueBytes)}\r\n", loaded.Call("GET", $"key:{i}"));
    }

    private static byte[] Fill(int keys, string value) =>
        [.. Enumerable.Range(0, keys).SelectMany(i => InProcessClient.Request("SET", $"key:{i}", value))];
}
