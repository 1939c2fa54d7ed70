// Servers that lie, stall or are none, and command lines that are wrong: one line that says so, and an exit code. Each test has its server.
using System.Text;
using Garnet.Cli.Tests.Support;
using Garnet.Testing;
using Xunit;

namespace Garnet.Cli.Tests;

public sealed class BadInputTests
{
    public static TheoryData<string, string> BadReplies =>
        new()
        {
            { "HTTP/1.1 400 Bad Request\r\n\r\n", "the server speaks HTTP, not RESP; check host and port" },
            { "\u0015\u0003\u0001\u0000\u0002\u0002\u0016\n", "the server speaks TLS; connect with --tls" },
            { "hello\r\n", "A reply begins with byte 104, which is none of RESP's." },
            { "$5\r\nhel", "Server closed the connection" },
            { "$5\r\nhelloXX", "A bulk string is not followed by a line end." },
            { "$99999999999\r\n", "A bulk string's length is out of range." },
            { "*-5\r\n", "A reply has too many elements." },
            { "*2147483647\r\n", "A reply has too many elements." },
            { "*2\r\n:1\r\n", "Server closed the connection" },
            { ":12x\r\n", "A number of a reply is not an integer." },
            { "+no end", "Server closed the connection" },
            { "+OK\n", "A line of a reply does not end in CR LF." },
            { "", "Server closed the connection" },
        };

    [Theory]
    [MemberData(nameof(BadReplies))]
    public void A_reply_that_is_none_ends_with_a_line_and_an_exit_code(string reply, string message)
    {
        using var server = ScriptedServer.Once(Encoding.Latin1.GetBytes(reply));
        var run = CliRun.Ours(["-p", server.Port, "GET", "k"]);
        Assert.Equal(1, run.ExitCode);
        Assert.Equal("", run.Output);
        Assert.StartsWith("Error: ", run.Error, StringComparison.Ordinal);
        Assert.Contains(message, run.Error, StringComparison.Ordinal);
        Assert.Equal(1, run.Error.Count(static each => each == '\n'));
    }

    [Fact]
    public void Deep_nesting_is_refused_and_wide_replies_are_printed()
    {
        using var deep = ScriptedServer.Once(Encoding.Latin1.GetBytes(string.Concat(Enumerable.Repeat("*1\r\n", 100_000)) + ":1\r\n"));
        Assert.Contains("nested too deeply", CliRun.Ours(["-p", deep.Port, "GET", "k"]).Error, StringComparison.Ordinal);
        using var wide = ScriptedServer.Once(Encoding.Latin1.GetBytes("*100000\r\n" + string.Concat(Enumerable.Repeat(":7\r\n", 100_000))));
        Assert.Equal(200_000, CliRun.Ours(["-p", wide.Port, "GET", "k"]).Output.Length);
    }

    // A line that never ends is refused at its limit, whatever the server sends.
    [Fact]
    public void A_line_without_end_is_refused()
    {
        using var server = ScriptedServer.Once([(byte)'+', .. Enumerable.Repeat((byte)'x', 2 * 1024 * 1024)]);
        Assert.Contains("A line of a reply is too long.", CliRun.Ours(["-p", server.Port, "GET", "k"]).Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("\u001b]0;title\u0007\u001b[2J", "\\x1b]0;title\\x07\\x1b[2J")]
    [InlineData("\u00c2\u009b31m", "\\xc2\\x9b31m")]
    [InlineData("\u009b31m", "\\x9b31m")]
    [InlineData("a\r\nb\tc", "a\r\nb\tc")]
    [InlineData("over\rwritten", "over\\x0dwritten")]
    [InlineData("\u00e2\u0080\u00ae", "\\xe2\\x80\\xae")]
    public void On_a_terminal_control_characters_are_shown_and_not_obeyed(string value, string shown)
    {
        byte[] reply = Encoding.Latin1.GetBytes($"${value.Length}\r\n{value}\r\n");
        using var server = ScriptedServer.Once(reply);
        Assert.Equal(shown + "\n", CliRun.Ours(["-p", server.Port, "--raw", "GET", "k"], isTerminal: true).Output);
        using var again = ScriptedServer.Once(reply);
        Assert.Equal(value + "\n", CliRun.Ours(["-p", again.Port, "--raw", "GET", "k"]).Output);
    }

    [Fact]
    public void An_error_reply_cannot_command_the_terminal_either()
    {
        using var server = ScriptedServer.Once("-ERR \u001b[31m\r\n"u8.ToArray());
        var run = CliRun.Ours(["-p", server.Port, "-e", "GET", "k"], isTerminal: true);
        Assert.Equal((1, "ERR \\x1b[31m\n"), (run.ExitCode, run.Error));
    }

    [Theory]
    [InlineData("Invalid server port.", "-p", "70000", "PING")]
    [InlineData("Invalid value '-1' for -n", "-n", "-1", "PING")]
    [InlineData("Invalid value 'x' for -n", "-n", "x", "PING")]
    [InlineData("Invalid value 'many' for -r", "-r", "many", "PING")]
    [InlineData("Invalid interval for -i", "-i", "often", "PING")]
    [InlineData("Invalid interval for -i", "-i", "3000000", "PING")]
    [InlineData("Invalid connection timeout for -t.", "-t", "-1", "PING")]
    [InlineData("Invalid connection timeout for -t.", "-t", "3000000", "PING")]
    [InlineData("--eval takes the name of a file", "--eval", "")]
    [InlineData("--rdb takes the name of a file", "--rdb", "")]
    [InlineData("Could not connect to the server at :6379: ", "-h", "", "PING")]
    [InlineData("Could not connect to the server at :6379: ", "-h", "", "--tls", "PING")]
    [InlineData("Invalid value '0' for --count", "--scan", "--count", "0")]
    [InlineData("--cacert: there is no file '/none'", "--tls", "--cacert", "/none", "PING")]
    [InlineData("--cert and --key belong together", "--tls", "--cert", "/proc/self/cmdline", "PING")]
    [InlineData("--cacertdir: there is no folder '/none'", "--tls", "--cacertdir", "/none", "PING")]
    [InlineData("--tls-ciphersuites: there is no suite 'X'", "--tls", "--tls-ciphersuites", "X", "PING")]
    [InlineData("Invalid port '99999' in the URI", "-u", "redis://host:99999", "PING")]
    [InlineData("Invalid database 'x' in the URI", "-u", "redis://host/x", "PING")]
    [InlineData("Invalid URI scheme", "-u", "host", "PING")]
    [InlineData("--intrinsic-latency measures this machine", "--intrinsic-latency", "5")]
    [InlineData("--lru-test is not supported", "--lru-test", "5")]
    [InlineData("--ldb is not supported", "--ldb", "--eval", "x")]
    [InlineData("manages no cluster", "--cluster", "info")]
    [InlineData("Unrecognized option", "--nosuch", "PING")]
    [InlineData("Unrecognized option", "-n")]
    [InlineData("Options --functions-rdb and --rdb", "--rdb", "a", "--functions-rdb", "b")]
    [InlineData("Can't open file '/none.lua'", "--eval", "/none.lua")]
    public void A_wrong_option_is_explained_in_a_line(string message, params string[] arguments)
    {
        var run = CliRun.Ours(arguments);
        Assert.Equal((1, ""), (run.ExitCode, run.Output));
        Assert.Contains(message.Replace("Options --f", "Option --f", StringComparison.Ordinal), run.Error, StringComparison.Ordinal);
        Assert.Equal(1, run.Error.Count(static each => each == '\n'));
    }

    // Longer than a name of DNS can be; a cluster's node may send the client to such a one.
    [Fact]
    public void A_name_that_cannot_be_a_hosts_is_refused()
    {
        string host = new('x', 300);
        Assert.Contains($"at {host}:6379: ", CliRun.Ours(["-h", host, "PING"]).Error, StringComparison.Ordinal);
        using var server = ScriptedServer.Once(Encoding.Latin1.GetBytes($"-MOVED 1 {host}:6379\r\n"));
        Assert.Contains($"at {host}:6379: ", CliRun.Ours(["-c", "-p", server.Port, "GET", "k"]).Error, StringComparison.Ordinal);
    }

    // Not printed as a reply, but in lines of the client's own.
    [Fact]
    public void Words_of_a_server_cannot_command_the_terminal_from_within_other_lines()
    {
        using var node = new ScriptedServer(static _ => Encoding.Latin1.GetBytes($"-MOVED 1 {Evil}{new string('x', 300)}:1\r\n"));
        var moved = CliRun.Ours(["-c", "-p", node.Port], "GET k\n", isTerminal: true);
        Assert.Contains("-> Redirected to slot [1] located at \\x1b[2J", moved.Output, StringComparison.Ordinal);
        Assert.DoesNotContain(Evil, moved.Output, StringComparison.Ordinal);
        using var keys = new ScriptedServer(static request =>
            request.Contains("DBSIZE", StringComparison.Ordinal) ? ":1\r\n"u8.ToArray()
            : request.Contains("SCAN", StringComparison.Ordinal) ? "*2\r\n$1\r\n0\r\n*1\r\n$1\r\nk\r\n"u8.ToArray()
            : request.Contains("MEMORY", StringComparison.Ordinal) ? ":5\r\n"u8.ToArray()
            : Encoding.Latin1.GetBytes($"+{Evil}\r\n")
        );
        string report = CliRun.Ours(["-p", keys.Port, "--memkeys"], isTerminal: true).Output;
        Assert.Contains("1 \\x1b[2Js with 5 bytes", report, StringComparison.Ordinal);
        Assert.DoesNotContain(Evil, report, StringComparison.Ordinal);
    }

    private const string Evil = "\u001b[2J";

    [Fact]
    public void A_server_that_is_not_there_is_named()
    {
        string port = LoopbackPort.Free().ToString(System.Globalization.CultureInfo.InvariantCulture);
        var run = CliRun.Ours(["-p", port, "PING"]);
        Assert.Equal((1, $"Could not connect to the server at 127.0.0.1:{port}: Connection refused\n"), (run.ExitCode, run.Error));
        var script = CliRun.Ours(["-p", port], "PING\n");
        Assert.Equal(1, script.ExitCode);
    }

    [Fact]
    public void A_wrong_password_is_an_error_where_it_matters()
    {
        using var open = TestServer.Start();
        using var closed = TestServer.Start(static options => options.Password = "right");
        var run = CliRun.Ours(["-p", Port(closed), "-a", "wrong", "--no-auth-warning", "GET", "k"]);
        Assert.Equal(1, run.ExitCode);
        Assert.Contains("AUTH failed: WRONGPASS", run.Error, StringComparison.Ordinal);
        Assert.Equal(1, CliRun.Ours(["-p", Port(closed), "-n", "3", "GET", "k"]).ExitCode);
        Assert.Equal(0, CliRun.Ours(["-p", Port(closed), "-a", "right", "GET", "k"]).ExitCode);
        Assert.Equal(0, CliRun.Ours(["-p", Port(open), "-a", "needless", "GET", "k"]).ExitCode);
    }

    [Fact]
    public void A_command_does_not_run_on_another_database_than_the_one_asked_for()
    {
        using var server = TestServer.Start();
        var run = CliRun.Ours(["-p", Port(server), "-n", "99999", "SET", "k", "v"]);
        Assert.Equal((1, "SELECT 99999 failed: ERR DB index is out of range\n"), (run.ExitCode, run.Error));
        Assert.Equal("0\n", CliRun.Ours(["-p", Port(server), "DBSIZE"]).Output);
    }

    [Fact]
    public void Output_whose_reader_is_gone_ends_the_run_as_a_signal_would()
    {
        using var server = TestServer.Start();
        string script = string.Concat(Enumerable.Range(0, 1000).Select(static number => $"SET key:{number} 1\n"));
        Assert.Equal(0, CliRun.Ours(["-p", Port(server)], script).ExitCode);
        var run = CliRun.Ours(["-p", Port(server), "--scan"], capacity: 500);
        Assert.Equal((141, ""), (run.ExitCode, run.Error));
        Assert.True(run.Output.Length <= 500);
    }

    private static string Port(TestServer server) => server.EndPoint.Port.ToString(System.Globalization.CultureInfo.InvariantCulture);
}
