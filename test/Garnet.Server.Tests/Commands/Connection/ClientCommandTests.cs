// The small CLIENT subcommands: names, library, modes, replies, pause, and tracking, which is always off.
using System.Text;
using Xunit;

namespace Garnet.Server.Tests.Commands.Connection;

public sealed class ClientCommandTests
{
    [Fact]
    public void Names_and_library_are_checked()
    {
        using InProcessServer server = new();
        Assert.Equal("$-1\r\n", server.Call("CLIENT", "GETNAME"));
        Assert.Equal("+OK\r\n", server.Call("CLIENT", "SETNAME", "me"));
        Assert.Equal(
            "-ERR Client names cannot contain spaces, newlines or special characters.\r\n",
            server.Call("CLIENT", "SETNAME", "a\nb")
        );
        Assert.Equal("$2\r\nme\r\n", server.Call("CLIENT", "GETNAME"));
        Assert.Equal("+OK\r\n", server.Call("CLIENT", "SETNAME", ""));
        Assert.Equal("$-1\r\n", server.Call("CLIENT", "GETNAME"));
        Assert.Equal(
            "-ERR lib-ver cannot contain spaces, newlines or special characters.\r\n",
            server.Call("CLIENT", "SETINFO", "lib-ver", "1 2")
        );
        Assert.Equal("-ERR Unrecognized option 'lib'\r\n", server.Call("CLIENT", "SETINFO", "lib", "x"));
        Assert.Equal($":{server.Client.Session.Id}\r\n", server.Call("CLIENT", "ID"));
        Assert.Equal("-ERR unknown subcommand 'NOSUCH'. Try CLIENT HELP.\r\n", server.Call("CLIENT", "NOSUCH"));
        Assert.Equal("-ERR wrong number of arguments for 'client|id' command\r\n", server.Call("client", "id", "x"));
        Assert.StartsWith("*", server.Call("CLIENT", "HELP"));
    }

    [Fact]
    public void REPLY_turns_replies_off_on_and_over_the_next()
    {
        using InProcessServer server = new();
        Assert.Equal("", server.Call("CLIENT", "REPLY", "OFF"));
        Assert.Equal("", server.Call("PING"));
        Assert.Equal("", server.Call("NOSUCH"));
        Assert.Equal("", server.Call("CLIENT", "REPLY", "SKIP"));
        Assert.Equal("+OK\r\n", server.Call("CLIENT", "REPLY", "ON"));
        Assert.Equal("", server.Call("CLIENT", "REPLY", "SKIP"));
        Assert.Equal("", server.Call("ECHO", "one"));
        Assert.Equal("$3\r\ntwo\r\n", server.Call("ECHO", "two"));
        server.Client.Send([
            .. InProcessClient.Request("CLIENT", "REPLY", "SKIP"),
            .. InProcessClient.Request("CLIENT", "REPLY", "SKIP"),
            .. InProcessClient.Request("PING"),
            .. InProcessClient.Request("ECHO", "x"),
        ]);
        Assert.Equal("$1\r\nx\r\n", server.Client.Receive());
        Assert.Equal("-ERR syntax error\r\n", server.Call("CLIENT", "REPLY", "MAYBE"));
    }

    [Theory]
    [InlineData("OFF", "*1\r\n!\r\n", "")]
    [InlineData("OFF", "*1\r\n$4\r\nPING\r\n*1\r\n!\r\n", "")]
    [InlineData("SKIP", "*1\r\n!\r\n", "")]
    [InlineData("SKIP", "*1\r\n$4\r\nPING\r\n*1\r\n!\r\n", "-ERR Protocol error: expected '$', got '!'\r\n")]
    [InlineData("SKIP", "\r\n*1\r\n!\r\n", "-ERR Protocol error: expected '$', got '!'\r\n")]
    [InlineData("SKIP", "*0\r\nPING\r\n\r\n*1\r\n!\r\n", "+PONG\r\n-ERR Protocol error: expected '$', got '!'\r\n")]
    [InlineData("SKIP", "PING\r\n\r\nPING\r\n*1\r\n!\r\n", "+PONG\r\n-ERR Protocol error: expected '$', got '!'\r\n")]
    [InlineData("ON", "*1\r\n!\r\n", "+OK\r\n-ERR Protocol error: expected '$', got '!'\r\n")]
    public void A_protocol_error_is_answered_as_the_next_command_would_be_however_the_bytes_are_split(
        string mode,
        string rest,
        string replies
    )
    {
        using InProcessServer server = new();
        byte[] input = [.. InProcessClient.Request("CLIENT", "REPLY", mode), .. Encoding.Latin1.GetBytes(rest)];
        for (int cut = 1; cut < input.Length; cut++)
        {
            using InProcessClient client = new(server.Server, protocolVersion: 2);
            client.Send(input.AsSpan(0, cut));
            string first = client.Receive();
            client.Send(input.AsSpan(cut));
            Assert.Equal(replies, first + client.Receive());
            Assert.True(client.IsClosed);
        }
    }

    [Fact]
    public void A_client_with_a_paused_command_counts_as_blocked()
    {
        using InProcessServer server = new();
        InProcessClient other = server.Connect();
        Assert.Equal("+OK\r\n", server.Call("CLIENT", "PAUSE", "100000", "WRITE"));
        Assert.Equal("$-1\r\n", other.Call("GET", "k"));
        Assert.Contains("\r\nblocked_clients:0\r\n", server.Call("INFO", "clients"), StringComparison.Ordinal);
        Assert.Equal("", other.Call("SET", "k", "v"));
        Assert.Contains("\r\nblocked_clients:1\r\n", server.Call("INFO", "clients"), StringComparison.Ordinal);
        Assert.Contains(" flags=b ", server.Call("CLIENT", "LIST", "ID", $"{other.Session.Id}"), StringComparison.Ordinal);
        Assert.Equal(":0\r\n", server.Call("CLIENT", "UNBLOCK", $"{other.Session.Id}"));
        Assert.Equal("+OK\r\n", server.Call("CLIENT", "UNPAUSE"));
        Assert.Equal("+OK\r\n", Later.Receive(other));
        Assert.Contains("\r\nblocked_clients:0\r\n", server.Call("INFO", "clients"), StringComparison.Ordinal);
    }

    [Fact]
    public void PAUSE_delays_commands_until_its_timeout()
    {
        using InProcessServer server = new();
        InProcessClient other = server.Connect();
        Assert.Equal("+OK\r\n", server.Call("CLIENT", "PAUSE", "1000"));
        Assert.Equal("", other.Call("PING"));
        server.Clock.Advance(TimeSpan.FromMilliseconds(900));
        Assert.Equal("", other.Receive());
        server.Clock.Advance(TimeSpan.FromMilliseconds(200));
        Assert.Equal("+PONG\r\n", Later.Receive(other));
    }

    [Fact]
    public void PAUSE_may_last_longer_than_any_timer()
    {
        using InProcessServer server = new();
        InProcessClient other = server.Connect();
        Assert.Equal("+OK\r\n", server.Call("CLIENT", "PAUSE", "9223370000000000000", "WRITE"));
        Assert.Equal("", other.Call("SET", "k", "v"));
        // The wait is made of timers of one minute, because a single timer cannot run that long.
        server.Clock.Advance(TimeSpan.FromMinutes(5));
        Assert.Equal("", other.Receive());
        Assert.Equal("+OK\r\n", server.Call("CLIENT", "UNPAUSE"));
        Assert.Equal("+OK\r\n", Later.Receive(other));
    }

    [Fact]
    public void PAUSE_of_writes_lets_reads_and_UNPAUSE_through()
    {
        using InProcessServer server = new();
        InProcessClient other = server.Connect();
        Assert.Equal("+OK\r\n", server.Call("CLIENT", "PAUSE", "100000", "WRITE"));
        Assert.Equal("$-1\r\n", server.Call("GET", "k"));
        Assert.Equal("", other.Call("SET", "k", "v"));
        Assert.Contains("paused_actions:write", server.Call("INFO", "clients"));
        Assert.Equal("+OK\r\n", server.Call("CLIENT", "UNPAUSE"));
        Assert.Equal("+OK\r\n", Later.Receive(other));
        Assert.Equal("$1\r\nv\r\n", server.Call("GET", "k"));
    }

    [Fact]
    public void Paused_clients_count_as_blocked()
    {
        using InProcessServer server = new();
        InProcessClient other = server.Connect();
        Assert.Equal("+OK\r\n", server.Call("CLIENT", "PAUSE", "100000", "WRITE"));
        Assert.Contains("blocked_clients:0\r\n", server.Call("INFO", "clients"));
        Assert.Equal("", other.Call("SET", "k", "v"));
        Assert.Contains("blocked_clients:1\r\n", server.Call("INFO", "clients"));
        string line = server.Call("CLIENT", "LIST", "ID", $"{other.Session.Id}");
        Assert.Contains(" flags=b ", line);
        Assert.Contains(" cmd=set ", line);
        Assert.Equal(":0\r\n", server.Call("CLIENT", "UNBLOCK", $"{other.Session.Id}"));
        Assert.Equal("+OK\r\n", server.Call("CLIENT", "UNPAUSE"));
        Assert.Equal("+OK\r\n", Later.Receive(other));
        Assert.Contains("blocked_clients:0\r\n", server.Call("INFO", "clients"));
    }

    [Fact]
    public void During_PAUSE_expired_keys_are_not_seen_and_not_removed()
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "1", "PX", "1");
        server.Call("SET", "b", "1", "PX", "1");
        Assert.Equal("+OK\r\n", server.Call("CLIENT", "PAUSE", "100000", "WRITE"));
        server.Clock.Advance(TimeSpan.FromMilliseconds(2));
        Assert.Equal("$-1\r\n", server.Call("GET", "a"));
        Assert.Equal(":0\r\n", server.Call("EXISTS", "b"));
        Assert.Contains(server.Call("RANDOMKEY"), (string[])["$1\r\na\r\n", "$1\r\nb\r\n"]);
        Assert.Equal("*2\r\n$1\r\n0\r\n*0\r\n", server.Call("SCAN", "0"));
        Assert.Equal(":2\r\n", server.Call("DBSIZE"));
        Assert.Contains("expired_keys:0\r\n", server.Call("INFO", "stats"));
        Assert.Equal("+OK\r\n", server.Call("CLIENT", "UNPAUSE"));
        Assert.Equal("$-1\r\n", server.Call("GET", "a"));
        Assert.Equal(":0\r\n", server.Call("EXISTS", "b"));
        Assert.Contains("expired_keys:2\r\n", server.Call("INFO", "stats"));
    }

    [Fact]
    public void A_clients_totals_include_the_current_command_and_a_late_reply()
    {
        using InProcessServer server = new();
        InProcessClient other = server.Connect();
        int request = InProcessClient.Request("CLIENT", "INFO").Length;
        Assert.Contains($" tot-net-in={request} tot-net-out=0 tot-cmds=0", other.Call("CLIENT", "INFO"));
        Assert.Contains($" tot-net-in={2 * request} ", other.Call("CLIENT", "INFO"));
        Assert.Equal("", other.Call("BLPOP", "k", "0"));
        string waiting = server.Call("CLIENT", "LIST", "ID", $"{other.Session.Id}");
        server.Call("RPUSH", "k", "v");
        string reply = Later.Receive(other);
        string served = server.Call("CLIENT", "LIST", "ID", $"{other.Session.Id}");
        Assert.Equal(Total(waiting) + reply.Length, Total(served));

        static long Total(string line) =>
            long.Parse(line.Split(" tot-net-out=")[1].Split(' ')[0], System.Globalization.CultureInfo.InvariantCulture);
    }

    [Theory]
    [InlineData("-ERR timeout is not an integer or out of range", "x")]
    [InlineData("-ERR timeout is negative", "-1")]
    [InlineData("-ERR timeout is out of range", "9223372036854775807")]
    [InlineData("-ERR CLIENT PAUSE mode must be WRITE or ALL", "x", "READ")]
    public void PAUSE_refuses_wrong_arguments(string error, params string[] arguments)
    {
        using InProcessServer server = new();
        Assert.Equal(error + "\r\n", server.Call(["CLIENT", "PAUSE", .. arguments]));
    }

    [Fact]
    public void UNBLOCK_finds_no_client_that_is_not_blocked()
    {
        using InProcessServer server = new();
        Assert.Equal(":0\r\n", server.Call("CLIENT", "UNBLOCK", $"{server.Client.Session.Id}"));
        Assert.Equal(":0\r\n", server.Call("CLIENT", "UNBLOCK", "77", "ERROR"));
        Assert.Equal("-ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR\r\n", server.Call("CLIENT", "UNBLOCK", "x", "SOON"));
        Assert.Equal("-ERR value is not an integer or out of range\r\n", server.Call("CLIENT", "UNBLOCK", "x"));
    }

    [Theory]
    [InlineData("TIMEOUT", ":0\r\n", 0)]
    [InlineData("ERROR", "-UNBLOCKED client unblocked via CLIENT UNBLOCK\r\n", 1)]
    public void UNBLOCK_ends_a_wait(string reason, string reply, int failedCalls)
    {
        using InProcessServer server = new();
        InProcessClient waiting = server.Connect();
        Assert.Equal("", waiting.Call("WAIT", "1", "0"));
        Assert.Contains(" flags=b ", server.Call("CLIENT", "LIST", "ID", $"{waiting.Session.Id}"));
        Assert.Contains("blocked_clients:1\r\n", server.Call("INFO", "clients"));
        Assert.Equal(":1\r\n", server.Call("CLIENT", "UNBLOCK", $"{waiting.Session.Id}", reason));
        Assert.Equal(reply, Later.ReceiveUntilReady(waiting));
        Assert.Matches($@"cmdstat_client\|unblock:calls=1,\S*,failed_calls={failedCalls}\r\n", server.Call("INFO", "commandstats"));
        Assert.Equal("+PONG\r\n", waiting.Call("PING"));
        Assert.Equal(":0\r\n", server.Call("CLIENT", "UNBLOCK", $"{waiting.Session.Id}"));
    }

    [Fact]
    public void PAUSE_of_writes_holds_back_EXEC_of_queued_writes()
    {
        using InProcessServer server = new();
        InProcessClient other = server.Connect();
        other.Call("MULTI");
        other.Call("SET", "k", "v");
        Assert.Equal("+OK\r\n", server.Call("CLIENT", "PAUSE", "100000", "WRITE"));
        Assert.Equal("", other.Call("EXEC"));
        Assert.Equal("+OK\r\n", server.Call("CLIENT", "UNPAUSE"));
        Assert.Equal("*1\r\n+OK\r\n", Later.Receive(other));
    }

    [Fact]
    public void Tracking_is_off()
    {
        using InProcessServer server = new();
        Assert.Equal(":-1\r\n", server.Call("CLIENT", "GETREDIR"));
        Assert.Equal(
            "*6\r\n$5\r\nflags\r\n*1\r\n$3\r\noff\r\n$8\r\nredirect\r\n:-1\r\n$8\r\nprefixes\r\n*0\r\n",
            server.Call("CLIENT", "TRACKINGINFO")
        );
        InProcessClient newer = server.Connect(3);
        Assert.Equal(
            "%3\r\n$5\r\nflags\r\n~1\r\n$3\r\noff\r\n$8\r\nredirect\r\n:-1\r\n$8\r\nprefixes\r\n*0\r\n",
            newer.Call("CLIENT", "TRACKINGINFO")
        );
    }
}
