// MONITOR: which commands are streamed and how, and what a monitoring client may do.
using System.Text.RegularExpressions;
using Xunit;

namespace Garnet.Server.Tests.Commands.Server;

public sealed class MonitorCommandTests
{
    [Fact]
    public void A_monitor_sees_commands_with_time_database_address_and_quoted_arguments()
    {
        using InProcessServer server = new();
        InProcessClient watcher = server.Connect();
        Assert.Equal("+OK\r\n", watcher.Call("MONITOR"));
        server.Call("SELECT", "3");
        server.Call("set", "k\"\\\r\n\t\a\b\0\u00ff", "v v");
        long seconds = server.NowMs / 1000;
        Assert.Equal(
            $"+{seconds}.000000 [3 127.0.0.1:50000] \"SELECT\" \"3\"\r\n+{seconds}.000000 [3 127.0.0.1:50000] \"set\" \"k\\\"\\\\\\r\\n\\t\\a\\b\\x00\\xff\" \"v v\"\r\n",
            watcher.Receive()
        );
    }

    [Fact]
    public void Administration_refused_commands_and_passwords_are_not_shown()
    {
        using InProcessServer server = new();
        InProcessClient watcher = server.Connect();
        watcher.Call("MONITOR");
        server.Call("CONFIG", "GET", "port");
        server.Call("GET");
        server.Call("NOSUCH");
        server.Call("AUTH", "default", "s3cret");
        Assert.Matches("^\\+[0-9.]+ \\[0 127.0.0.1:50000\\] \"AUTH\" \"\\(redacted\\)\" \"\\(redacted\\)\"\r\n$", watcher.Receive());
    }

    [Fact]
    public void A_transaction_is_shown_as_it_is_executed()
    {
        using InProcessServer server = new();
        InProcessClient watcher = server.Connect();
        watcher.Call("MONITOR");
        server.Call("MULTI");
        server.Call("SET", "a", "1");
        server.Call("INCR", "a");
        server.Call("EXEC");
        server.Call("MULTI");
        server.Call("SET", "a", "1");
        server.Call("DISCARD");
        Assert.Equal("MULTI SET INCR EXEC MULTI DISCARD", Names(watcher.Receive()));
    }

    [Fact]
    public void EXEC_is_shown_as_it_was_sent_also_when_it_did_nothing()
    {
        using InProcessServer server = new();
        InProcessClient watcher = server.Connect();
        watcher.Call("MONITOR");
        server.Call("multi");
        server.Call("set", "a", "1");
        server.Call("eXeC");
        server.Call("watch", "a");
        server.Call("Set", "a", "2");
        server.Call("multi");
        server.Call("get", "a");
        Assert.Equal("*-1\r\n", server.Call("exec"));
        Assert.Equal("multi set eXeC watch Set multi exec", Names(watcher.Receive()));
    }

    [Fact]
    public void A_monitor_may_not_access_keys_and_RESET_makes_it_a_normal_client()
    {
        using InProcessServer server = new();
        InProcessClient watcher = server.Connect();
        watcher.Call("MONITOR");
        Assert.Equal("", watcher.Call("MONITOR"));
        Assert.Equal("-ERR Replica can't interact with the keyspace\r\n", watcher.Call("GET", "a"));
        Assert.StartsWith("+PONG\r\n+", watcher.Call("PING"));
        Assert.Contains(" flags=O ", server.Call("CLIENT", "LIST", "ID", $"{watcher.Session.Id}"));
        watcher.Receive();
        Assert.StartsWith("+RESET\r\n", watcher.Call("RESET"));
        server.Call("PING");
        Assert.Equal("$-1\r\n", watcher.Call("GET", "a"));
    }

    [Fact]
    public void MONITOR_is_refused_inside_a_transaction()
    {
        using InProcessServer server = new();
        server.Call("MULTI");
        Assert.Equal("+QUEUED\r\n", server.Call("MONITOR"));
        Assert.Equal("*1\r\n-ERR MONITOR isn't allowed for DENY BLOCKING client\r\n", server.Call("EXEC"));
    }

    [Fact]
    public void Disconnected_monitors_are_removed()
    {
        using InProcessServer server = new();
        InProcessClient watcher = server.Connect();
        watcher.Call("MONITOR");
        Assert.StartsWith("+OK\r\n", watcher.Call("QUIT"));
        Assert.False(server.Server.Monitors.IsWatched);
    }

    private static string Names(string lines) =>
        string.Join(' ', Regex.Matches(lines, "\\] \"([A-Za-z]+)\"").Select(match => match.Groups[1].Value));
}
