// COMMANDLOG: which command enters which log, and queries.
using System.Globalization;
using System.Text.RegularExpressions;
using Xunit;

namespace Garnet.Server.Tests.Commands.Logs;

public sealed class CommandlogCommandTests
{
    [Fact]
    public void A_large_request_and_a_large_reply_enter_their_logs_with_their_bytes()
    {
        using InProcessServer server = new();
        server.Call(
            "CONFIG",
            "SET",
            "commandlog-request-larger-than",
            "500",
            "commandlog-reply-larger-than",
            "500",
            "commandlog-execution-slower-than",
            "1000000000"
        );
        string value = new('x', 1000);
        server.Call("SET", "k", value);
        server.Call("GET", "k");
        int request = InProcessClient.Request("SET", "k", value).Length;
        string requests = server.Call("COMMANDLOG", "GET", "-1", "large-request");
        string replies = server.Call("COMMANDLOG", "GET", "-1", "large-reply");
        Assert.StartsWith($"*1\r\n*6\r\n:0\r\n:{server.NowMs / 1000}\r\n:{request}\r\n*3\r\n$3\r\nSET\r\n", requests);
        Assert.Contains("... (872 more bytes)", requests);
        Assert.Contains(":1009\r\n*2\r\n$3\r\nGET\r\n$1\r\nk\r\n", replies);
        Assert.Equal(":0\r\n", server.Call("COMMANDLOG", "LEN", "slow"));
    }

    [Fact]
    public void Each_request_of_a_pipeline_counts_by_itself()
    {
        using InProcessServer server = new();
        int request = InProcessClient.Request("GET", "k").Length;
        server.Call("CONFIG", "SET", "commandlog-request-larger-than", $"{request + 1}");
        server.Call("COMMANDLOG", "RESET", "large-request");
        server.Client.Send([
            .. InProcessClient.Request("GET", "k"),
            .. InProcessClient.Request("GET", "k"),
            .. InProcessClient.Request("GET", "kk"),
            .. InProcessClient.Request("GET", "k"),
        ]);
        server.Client.Receive();
        string log = server.Call("COMMANDLOG", "GET", "-1", "large-request");
        Assert.Contains($":{request + 1}\r\n*2\r\n$3\r\nGET\r\n$2\r\nkk\r\n", log);
        Assert.DoesNotContain("$1\r\nk\r\n", log);
    }

    [Theory]
    [InlineData("commandlog-request-larger-than", "-1", "commandlog-large-request-max-len", "10")]
    [InlineData("commandlog-request-larger-than", "0", "commandlog-large-request-max-len", "0")]
    public void A_log_can_be_turned_off(string limit, string bytes, string length, string entries)
    {
        using InProcessServer server = new();
        Assert.Equal("+OK\r\n", server.Call("CONFIG", "SET", limit, bytes, length, entries));
        Assert.Equal("+OK\r\n", server.Call("COMMANDLOG", "RESET", "large-request"));
        server.Call("PING");
        Assert.Equal(":0\r\n", server.Call("COMMANDLOG", "LEN", "large-request"));
    }

    [Fact]
    public void The_slow_log_is_that_of_SLOWLOG()
    {
        using InProcessServer server = new(options => options.SlowerThanMicroseconds = 0);
        server.Call("PING");
        Assert.Contains("$4\r\nPING\r\n", server.Call("COMMANDLOG", "GET", "1", "SLOW"));
        Assert.Equal("+OK\r\n", server.Call("COMMANDLOG", "RESET", "slow"));
        Assert.Equal(":1\r\n", server.Call("SLOWLOG", "LEN"));
    }

    [Fact]
    public void Replies_within_a_transaction_count_from_its_beginning()
    {
        using InProcessServer server = new();
        server.Call("CONFIG", "SET", "commandlog-reply-larger-than", "0");
        foreach (string command in (string[])["MULTI", "SET k v", "INCR k", "EXEC", "GET k"])
            server.Call(command.Split(' '));
        int set = "*2\r\n+OK\r\n".Length,
            incr = set + "-ERR value is not an integer or out of range\r\n".Length;
        Assert.Equal([(7, "GET k"), (incr, "INCR k"), (set, "SET k v"), (5, "MULTI")], Sizes(server, "large-reply")[..4]);
    }

    [Fact]
    public void A_command_that_waited_is_logged_with_its_own_request_when_it_is_answered()
    {
        using InProcessServer server = new(options => options.SlowerThanMicroseconds = 0);
        server.Call("CONFIG", "SET", "commandlog-reply-larger-than", "0", "commandlog-request-larger-than", "0");
        InProcessClient waiter = server.Connect();
        string[] read = ["XREAD", "BLOCK", "0", "STREAMS", "s", "$"],
            pop = ["BLPOP", "k", "0"];
        waiter.Call(read);
        Assert.DoesNotContain(Sizes(server, "large-request"), entry => entry.Command.StartsWith("XREAD", StringComparison.Ordinal));
        server.Call("XADD", "s", "1-1", "f", "v");
        int entry = Later.ReceiveUntilReady(waiter).Length;
        Assert.Contains((InProcessClient.Request(read).Length, "XREAD BLOCK 0 STREAMS s $"), Sizes(server, "large-request"));
        Assert.Contains((entry, "XREAD BLOCK 0 STREAMS s $"), Sizes(server, "large-reply"));
        foreach (
            (string how, string reply) in (ReadOnlySpan<(string, string)>)
                [("TIMEOUT", "*-1\r\n"), ("ERROR", "-UNBLOCKED client unblocked via CLIENT UNBLOCK\r\n")]
        )
        {
            foreach (string log in (string[])["large-request", "large-reply", "slow"])
                server.Call("COMMANDLOG", "RESET", log);
            waiter.Call(pop);
            Assert.Equal(":1\r\n", server.Call("CLIENT", "UNBLOCK", $"{waiter.Session.Id}", how));
            Assert.Equal(reply, Later.ReceiveUntilReady(waiter));
            Assert.Contains((InProcessClient.Request(pop).Length, "BLPOP k 0"), Sizes(server, "large-request"));
            Assert.Contains((reply.Length, "BLPOP k 0"), Sizes(server, "large-reply"));
            Assert.Contains(Sizes(server, "slow"), entry => entry.Command == "BLPOP k 0");
        }
    }

    [Fact]
    public void A_reply_in_pieces_counts_as_a_whole()
    {
        using InProcessServer server = new();
        string element = new('x', 1000);
        for (int i = 0; i < 3; i++)
            server.Call(["RPUSH", "k", .. Enumerable.Repeat(element, 1000)]);
        InProcessClient reader = server.Connect();
        int length = reader.Call("LRANGE", "k", "0", "-1").Length;
        for (string more = "begun"; length < 3_000_000 && more.Length > 0; length += more.Length)
            more = Later.Receive(reader);
        Assert.Equal([(length, "LRANGE k 0 -1")], Sizes(server, "large-reply"));
    }

    // Size and command of a log's entries, newest first.
    private static (int Bytes, string Command)[] Sizes(InProcessServer server, string log) =>
        [
            .. Regex
                .Matches(
                    server.Call("COMMANDLOG", "GET", "-1", log),
                    @"\*6\r\n:\d+\r\n:\d+\r\n:(\d+)\r\n\*\d+\r\n((?:\$\d+\r\n.*\r\n)+?)(?=\$\d+\r\n127)"
                )
                .Select(entry =>
                    (
                        int.Parse(entry.Groups[1].Value, CultureInfo.InvariantCulture),
                        string.Join(' ', Regex.Matches(entry.Groups[2].Value, @"\$\d+\r\n(.*)\r\n").Select(word => word.Groups[1].Value))
                    )
                ),
        ];
}
