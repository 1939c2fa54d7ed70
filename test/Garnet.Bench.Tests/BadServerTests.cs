// Servers that are none, or that misbehave: one line that says what is wrong, and exit code 1.
using System.Globalization;
using System.Text;
using Garnet.Bench.Options;
using Garnet.Bench.Servers;
using Garnet.Bench.Tests.Servers;
using Garnet.Testing;
using Xunit;

namespace Garnet.Bench.Tests;

public sealed class BadServerTests
{
    [Theory]
    [InlineData("HTTP/1.1 400 Bad Request\r\n\r\n", "web server")]
    [InlineData("\u0015\u0003\u0003\u0000\u0002", "--tls")]
    [InlineData("SSH-2.0-OpenSSH_9.2\r\n", "is not RESP")]
    [InlineData("-NOAUTH Authentication required.\r\n", "GARNET_AUTH")]
    [InlineData("-LOADING Redis is loading\r\n", "try again")]
    [InlineData("+PONG\r\nHTTP", "does not speak RESP")]
    public async Task A_server_that_cannot_be_measured_is_refused_at_once(string reply, string expected)
    {
        using var server = StubServer.Answering(reply, isPolite: false);
        AssertFailed(await RunAsync(server.Port), expected);
    }

    [Theory]
    [InlineData("HTTP/1.1 400 Bad Request\r\n\r\n", "web server")]
    [InlineData("+OK\r\n+OK\r\n", "a reply to no request")]
    [InlineData("$3\r\nabcdef\r\n", "longer than its header")]
    [InlineData("$600000000\r\n", "out of range")]
    public async Task Replies_that_lie_end_the_load(string reply, string expected)
    {
        using var server = StubServer.Answering(reply);
        AssertFailed(await RunAsync(server.Port), expected);
    }

    [Fact]
    public async Task A_server_that_never_answers_is_given_up()
    {
        using var server = new StubServer(static (_, _) => true, isPolite: false);
        AssertFailed(await RunAsync(server.Port, "--reply-timeout", "2"), "no reply to PING within 2 s");
    }

    [Fact]
    public async Task A_time_that_is_over_at_once_is_a_failure_like_any_other()
    {
        using var server = StubServer.Answering("+OK\r\n");
        AssertFailed(await RunAsync(server.Port, "--reply-timeout", "0.00000001"), "no reply to PING within 0 s");
    }

    // More than the sockets' buffers hold is prepared, and the server stops to read.
    [Fact]
    public async Task A_server_that_does_not_read_is_given_up()
    {
        var over = new TaskCompletionSource();
        using var server = new StubServer((_, _) => over.Task.Wait(Timeout.Infinite));
        AssertFailed(await RunAsync(server.Port, "-t", "lindex", "-d", "100000", "--reply-timeout", "2"), "no reply to LPUSH within 2 s");
        over.SetResult();
    }

    // The limit also holds for the replies before, which may take a while on a busy machine.
    [Fact]
    public async Task A_server_that_falls_silent_is_given_up()
    {
        using var server = new StubServer(static (_, _) => true);
        AssertFailed(await RunAsync(server.Port, "--reply-timeout", "2"), "no reply within 2 s");
    }

    [Fact]
    public async Task A_server_that_disconnects_ends_the_load()
    {
        using var server = new StubServer(static (_, _) => false);
        AssertFailed(await RunAsync(server.Port), "connection");
    }

    [Fact]
    public async Task A_server_that_hangs_up_at_once_is_refused()
    {
        using var server = new StubServer(static (_, _) => false, isPolite: false);
        AssertFailed(await RunAsync(server.Port), "closed the connection at PING");
    }

    [Fact]
    public async Task What_was_measured_before_a_failure_is_printed()
    {
        using var server = new StubServer(
            static (socket, request) =>
            {
                socket.Send("+OK\r\n"u8);
                return !Encoding.ASCII.GetString(request).Contains("INCR", StringComparison.Ordinal);
            }
        );
        BenchRun run = await RunAsync(server.Port, "-t", "set,incr,append", "-q", "-n", "20", "-c", "2");
        Assert.Equal(1, run.ExitCode);
        Assert.StartsWith("SET: ", run.Output, StringComparison.Ordinal);
        Assert.Single(run.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries));
        Assert.Contains("connection", run.Errors, StringComparison.Ordinal);
    }

    // The server stops in the second test, at a request or at the question for its processor time.
    [Theory]
    [InlineData("INCR")]
    [InlineData("INFO")]
    [InlineData("LPUSH")]
    public async Task What_was_measured_before_Ctrl_C_at_a_silent_server_is_kept(string last)
    {
        Measurer? measurer = null;
        bool isSilent = false;
        int seen = 0;
        using var server = new StubServer(
            (socket, request) =>
            {
                string text = Encoding.ASCII.GetString(request);
                // INFO: once for the version, twice for each test before.
                if (text.Contains(last, StringComparison.Ordinal) && ++seen > (last == "INFO" ? 2 : 0) && !isSilent)
                {
                    isSilent = true;
                    measurer!.Cancel();
                }

                if (!isSilent)
                    socket.Send(text.Contains("INFO", StringComparison.Ordinal) ? "$0\r\n\r\n"u8 : "+OK\r\n"u8);
                return true;
            },
            isPolite: false
        );
        BenchOptions options = TestOptions.Parse("-p", $"{server.Port}", "-t", "set,incr,lindex", "-n", "20", "-c", "2");
        await using ControlConnection connection = await ControlConnection.OpenAsync(await TargetResolver.ResolveAsync(options.Target));
        using (measurer = new Measurer(options, [connection], live: null))
        {
            Exception? failure = await Record.ExceptionAsync(measurer.RunAsync);
            Assert.True(failure is null or BenchException, $"{failure}");
            Assert.Equal("set", measurer.Measurements[0].Test);
            Assert.Equal(20, measurer.Measurements[0].Rounds[0].Requests);
        }
    }

    [Fact]
    public async Task Errors_are_counted_shown_and_end_with_exit_code_2()
    {
        using var server = StubServer.Answering("-ERR out of order\r\n");
        BenchRun run = await RunAsync(server.Port, "--json", "--ratio", "0:1");
        Assert.Equal(2, run.ExitCode);
        Assert.Equal((200, 200), (run.Count("requests"), run.Count("errors")));
        Assert.Contains("the first: ERR out of order", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Wrong_values_are_counted_and_end_with_exit_code_2()
    {
        using var server = StubServer.Answering("$5\r\nwrong\r\n");
        BenchRun run = await RunAsync(server.Port, "--json", "--ratio", "0:1", "--verify", "-d", "5");
        Assert.Equal(2, run.ExitCode);
        Assert.Equal((200, 200), (run.Count("requests"), run.Count("wrong_values")));
    }

    [Fact]
    public async Task The_help_cannot_be_written()
    {
        using var full = new FullWriter();
        using var errors = new StringWriter();
        Assert.Equal(1, await BenchVerb.RunAsync(["--help"], full, errors));
        Assert.Equal($"garnet bench: the result cannot be written: No space left on device{Environment.NewLine}", errors.ToString());
    }

    [Fact]
    public async Task Nothing_listens()
    {
        int port = LoopbackPort.Free();
        AssertFailed(await RunAsync(port), "connection refused; is a server running there?");
    }

    [LinuxFact]
    public async Task There_is_no_such_socket() =>
        AssertFailed(await BenchRun.RunAsync("-s", "/no/such/socket"), "there is no such socket");

    [Fact]
    public async Task There_is_no_such_host() =>
        AssertFailed(await BenchRun.RunAsync("-h", "no.such.host.invalid"), "cannot find the host 'no.such.host.invalid'");

    [Fact]
    public async Task A_path_that_is_too_long_is_no_socket() =>
        AssertFailed(await BenchRun.RunAsync("-s", "/" + new string('x', 500)), "cannot be a Unix socket");

    private static Task<BenchRun> RunAsync(int port, params string[] arguments) =>
        BenchRun.RunAsync(["-p", port.ToString(CultureInfo.InvariantCulture), .. arguments]);

    private static void AssertFailed(BenchRun run, string expected)
    {
        Assert.Contains(expected, run.Errors, StringComparison.Ordinal);
        Assert.StartsWith("garnet bench: ", run.Errors, StringComparison.Ordinal);
        Assert.Single(run.Errors.Split('\n', StringSplitOptions.RemoveEmptyEntries));
        Assert.Equal((1, ""), (run.ExitCode, run.Output));
    }
}
