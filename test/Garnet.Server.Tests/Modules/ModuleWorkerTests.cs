// Timers, events and work that modules do outside of their commands. Each test has its own server.
using Garnet.Server.Tests.Commands;
using Xunit;

namespace Garnet.Server.Tests.Modules;

public sealed class ModuleWorkerTests
{
    private static InProcessServer NewServer(Action<GarnetOptions>? configure = null) =>
        new(configure, extensions: ModuleServer.With(typeof(Waiters)));

    [Fact]
    public void A_timer_calls_at_its_times()
    {
        using InProcessServer server = NewServer();
        server.Call("WAIT.TICK", "1000", "500");
        server.Call("WAIT.TICK", "700", "-1");
        server.Clock.Advance(TimeSpan.FromMilliseconds(600));
        Assert.Equal(":0\r\n", server.Call("LLEN", "ticks"));
        server.Clock.Advance(TimeSpan.FromMilliseconds(200));
        Eventually.Replies(server, ":1\r\n", "LLEN", "ticks");
        server.Clock.Advance(TimeSpan.FromMilliseconds(300));
        Eventually.Replies(server, ":2\r\n", "LLEN", "ticks");
        server.Clock.Advance(TimeSpan.FromMilliseconds(500));
        Eventually.Replies(server, ":3\r\n", "LLEN", "ticks");
    }

    [Fact]
    public void Events_of_keys_arrive_in_their_order()
    {
        using InProcessServer server = NewServer();
        server.Call("SET", "a", "1", "PX", "1000");
        server.Call("MULTI");
        server.Call("RPUSH", "l", "x");
        server.Call("APPEND", "b", "1");
        server.Call("WAIT.TAKE", "l", "0");
        server.Call("EXEC");
        server.Clock.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal("$-1\r\n", server.Call("GET", "a"));
        server.Call("SELECT", "1");
        Eventually.Replies(
            server,
            Replies.Bulks("0 set a", "0 append b", "0 waiters.taken l", "0 expired a"),
            "LRANGE",
            "changes",
            "0",
            "-1"
        );
    }

    [Fact]
    public void An_event_of_a_module_is_published()
    {
        using InProcessServer server = NewServer(static options => options.NotifyKeyspaceEvents = "Kd");
        InProcessClient subscriber = server.Connect();
        subscriber.Call("SUBSCRIBE", "__keyspace@0__:l");
        server.Call("RPUSH", "l", "x");
        server.Call("WAIT.TAKE", "l", "0");
        Assert.Equal(Replies.Bulks("message", "__keyspace@0__:l", "waiters.taken"), Later.Receive(subscriber));
    }

    [Fact]
    public void Events_beyond_the_limit_are_dropped_and_counted()
    {
        using InProcessServer server = NewServer(static options => options.ModuleMaxQueue = 1);
        server.Call(["MSET", .. Enumerable.Range(0, 10_000).SelectMany(static i => new[] { $"k{i}", "v" })]);
        server.Call("SELECT", "1");
        Eventually.True(() => server.Server.Modules.All[0].Worker.IsIdle);
        long dropped = server.Server.Modules.All[0].Worker.Dropped;
        Assert.InRange(dropped, 1, 9_999);
        Assert.Equal($":{10_000 - dropped}\r\n", server.Call("LLEN", "changes"));
        Assert.Contains($"dropped={dropped}", server.Call("INFO", "modules"), StringComparison.Ordinal);
    }

    // The first event of a long key fits; the module's own push is an event of its own kind, which it does not ask for.
    [Fact]
    public void Events_of_long_keys_count_by_their_bytes()
    {
        using InProcessServer server = NewServer(static options => options.ModuleMaxQueueBytes = 100_000);
        string key = new('k', 60_000);
        server.Call("MSET", key + "1", "v", key + "2", "v", key + "3", "v");
        Eventually.True(() => server.Server.Modules.All[0].Worker is { IsIdle: true, Bytes: 0 });
        server.Call("SELECT", "1");
        long dropped = server.Server.Modules.All[0].Worker.Dropped;
        Assert.Equal($":{3 - dropped}\r\n", server.Call("LLEN", "changes"));
        server.Call("CONFIG", "SET", "module-max-queue-memory", "50000");
        server.Call("SET", key, "v");
        Assert.Equal(dropped + 1, server.Server.Modules.All[0].Worker.Dropped);
    }

    [Fact]
    public void The_server_tells_what_happens_to_it()
    {
        using InProcessServer server = NewServer();
        Eventually.Replies(server, Replies.Bulks("Ready"), "LRANGE", "events", "0", "-1");
        server.Call("SELECT", "2");
        server.Call("SET", "k", "v");
        server.Call("FLUSHDB");
        server.Call("SELECT", "0");
        Eventually.Replies(server, Replies.Bulks("Ready", "Flushed"), "LRANGE", "events", "0", "-1");
        server.Call("REPLICAOF", "127.0.0.1", "1");
        server.Clock.Advance(TimeSpan.FromSeconds(1));
        Eventually.True(() => server.Server.Modules.All[0].Worker.IsIdle);
        server.Call("REPLICAOF", "NO", "ONE");
        server.Clock.Advance(TimeSpan.FromSeconds(1));

        // A replica refuses what the module writes, which is counted.
        Eventually.Replies(server, Replies.Bulks("Ready", "Flushed", "BecamePrimary"), "LRANGE", "events", "0", "-1");
        Assert.Contains("exceptions=1,", server.Call("INFO", "modules"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("BLPOP")]
    [InlineData("SUBSCRIBE")]
    [InlineData("MULTI")]
    public void Commands_that_wait_or_are_about_connections_are_refused(string command)
    {
        using InProcessServer server = NewServer();
        server.Call("WAIT.CALL", command);
        Eventually.Replies(
            server,
            Replies.Bulks($"ERR the command '{command.ToLowerInvariant()}' cannot be called by a module"),
            "LRANGE",
            "replies",
            "0",
            "-1"
        );
    }
}
