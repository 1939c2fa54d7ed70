// SLOWLOG: what is logged, in which format, and what is not logged.
using System.Text.RegularExpressions;
using Xunit;

namespace Garnet.Server.Tests.Commands.Logs;

public sealed class SlowlogCommandTests
{
    [Fact]
    public void With_the_limit_at_zero_every_command_is_logged_newest_first()
    {
        using InProcessServer server = new(options => options.SlowerThanMicroseconds = 0);
        server.Call("CLIENT", "SETNAME", "me");
        server.Client.Send([
            .. InProcessClient.Request("SET", "k", "v"),
            .. InProcessClient.Request("GET", "k"),
            .. InProcessClient.Request("GET", "other"),
        ]);
        server.Client.Receive();
        string seconds = $"{server.NowMs / 1000}";
        string Entry(int id, params string[] arguments) =>
            $"*6\r\n:{id}\r\n:{seconds}\r\n:TIME\r\n*{arguments.Length}\r\n{string.Concat(arguments.Select(each => $"${each.Length}\r\n{each}\r\n"))}$15\r\n127.0.0.1:50000\r\n$2\r\nme\r\n";
        string log = Regex.Replace(server.Call("SLOWLOG", "GET", "3"), $"(:{seconds}\r\n):\\d+", "$1:TIME");
        Assert.Equal("*3\r\n" + Entry(3, "GET", "other") + Entry(2, "GET", "k") + Entry(1, "SET", "k", "v"), log);
    }

    [Fact]
    public void LEN_RESET_and_the_bound_on_entries()
    {
        using InProcessServer server = new(options =>
        {
            options.SlowerThanMicroseconds = 0;
            options.SlowLogMaxLength = 3;
        });
        for (int i = 0; i < 9; i++)
            server.Call("PING");
        Assert.Equal(":3\r\n", server.Call("SLOWLOG", "LEN"));
        Assert.Equal("+OK\r\n", server.Call("SLOWLOG", "RESET"));
        Assert.Equal(":1\r\n", server.Call("SLOWLOG", "LEN"));
        Assert.Equal("+OK\r\n", server.Call("CONFIG", "SET", "slowlog-log-slower-than", "-1"));
        Assert.Equal("+OK\r\n", server.Call("SLOWLOG", "RESET"));
        server.Call("PING");
        Assert.Equal("*0\r\n", server.Call("SLOWLOG", "GET"));
    }

    [Fact]
    public void Passwords_are_not_logged()
    {
        using InProcessServer server = new(options => options.SlowerThanMicroseconds = 0);
        server.Call("AUTH", "default", "s3cret");
        server.Call("HELLO", "2", "AUTH", "default", "s3cret");
        server.Call("CONFIG", "SET", "timeout", "0", "RequirePass", "s3cret");
        string log = server.Call("SLOWLOG", "GET", "-1");
        Assert.DoesNotContain("s3cret", log);
        Assert.Contains("*3\r\n$4\r\nAUTH\r\n$10\r\n(redacted)\r\n$10\r\n(redacted)\r\n", log);
        Assert.Contains("$1\r\n2\r\n$4\r\nAUTH\r\n$10\r\n(redacted)\r\n$10\r\n(redacted)\r\n", log);
        Assert.Contains("$7\r\ntimeout\r\n$1\r\n0\r\n$11\r\nRequirePass\r\n$10\r\n(redacted)\r\n", log);
    }

    // By every log of commands, directly and in a transaction, allowed and denied.
    [Fact]
    public void What_is_said_about_users_is_neither_logged_nor_shown()
    {
        using InProcessServer server = new(static options =>
        {
            options.SlowerThanMicroseconds = 0;
            options.LargeRequestBytes = 0;
            options.LargeReplyBytes = 0;
        });
        using InProcessClient monitor = server.Connect();
        monitor.Call("MONITOR");
        server.Call("ACL", "SETUSER", "bob", "on", ">s3cret", "+@all");
        server.Call("ACL", "SETUSER", "bob", "<wrong-s3cret");
        server.Call("ACL", "GETUSER", "s3cret");
        server.Call("ACL", "DELUSER", "s3cret");
        server.Call("MULTI");
        server.Call("ACL", "SETUSER", "bob", ">s3cret");
        server.Call("AUTH", "bob", "s3cret");
        server.Call("EXEC");
        using InProcessClient guest = server.Connect();
        guest.Call("AUTH", "bob", "s3cret");
        server.Call("ACL", "SETUSER", "bob", "-acl");
        guest.Call("ACL", "SETUSER", "bob", ">s3cret");
        guest.Call("HELLO", "3", "AUTH", "bob", "s3cret");
        string[] logs =
        [
            server.Call("SLOWLOG", "GET", "-1"),
            server.Call("COMMANDLOG", "GET", "-1", "slow"),
            server.Call("COMMANDLOG", "GET", "-1", "large-request"),
            server.Call("COMMANDLOG", "GET", "-1", "large-reply"),
            monitor.Receive(),
        ];
        Assert.All(logs, static log => Assert.DoesNotContain("s3cret", log, StringComparison.Ordinal));
        Assert.All(logs, static log => Assert.Contains("(redacted)", log, StringComparison.Ordinal));
        // MONITOR shows no commands of administration.
        Assert.Contains("\"AUTH\" \"(redacted)\"", logs[^1], StringComparison.Ordinal);
        Assert.DoesNotContain("SETUSER", logs[^1], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("-ERR count should be greater than or equal to -1", "GET", "-2")]
    [InlineData("-ERR count should be greater than or equal to -1", "GET", "x")]
    [InlineData("-ERR unknown subcommand or wrong number of arguments for 'GET'. Try SLOWLOG HELP.", "GET", "1", "2")]
    [InlineData("-ERR wrong number of arguments for 'slowlog|len' command", "LEN", "x")]
    public void Wrong_calls_are_refused(string error, params string[] arguments)
    {
        using InProcessServer server = new();
        Assert.Equal(error + "\r\n", server.Call(["SLOWLOG", .. arguments]));
    }

    [Fact]
    public void Runs_of_one_command_are_counted_call_by_call()
    {
        using InProcessServer server = new();
        byte[] get = InProcessClient.Request("GET", "k"),
            set = InProcessClient.Request("SET", "k", "v");
        server.Client.Send([
            .. Enumerable.Repeat(get, 40).SelectMany(each => each),
            .. Enumerable.Repeat(set, 3).SelectMany(each => each),
            .. get,
            .. set,
            .. InProcessClient.Request("PING"),
        ]);
        string stats = server.Call("INFO", "commandstats");
        Assert.Matches("cmdstat_get:calls=41,usec=[1-9]\\d*,", stats);
        Assert.Matches("cmdstat_set:calls=4,usec=\\d+,", stats);
        Assert.Matches("cmdstat_ping:calls=1,usec=\\d+,", stats);
    }
}
