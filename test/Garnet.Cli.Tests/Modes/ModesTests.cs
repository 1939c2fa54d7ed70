// The modes of the client, against a server in the test's process. Each test has its server and folder.
using System.Diagnostics;
using System.Globalization;
using System.Text;
using Garnet.Cli.Tests.Support;
using Garnet.Testing;
using Xunit;

namespace Garnet.Cli.Tests.Modes;

public sealed class ModesTests : IDisposable
{
    private readonly TestServer _server = TestServer.Start();
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-cli-modes-").FullName;

    public void Dispose()
    {
        _server.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public void Scan_lists_each_key_once_in_the_chosen_form()
    {
        Fill(250);
        string[] keys = [.. Enumerable.Range(0, 250).Select(static number => $"key:{number}").Order(StringComparer.Ordinal)];
        Assert.Equal(keys, Lines(Run("--scan")).Order(StringComparer.Ordinal));
        Assert.Equal(["key:7"], Lines(Run("--scan", "--pattern", "*:7")));
        Assert.Equal(["\"key:7\""], Lines(Run("--scan", "--no-raw", "--quoted-pattern", "\"*\\x3a7\"")));
        Assert.Equal(250, Lines(Run("--scan", "--count", "1000", "-i", "0.001")).Length);
        Assert.Equal("", Run("--scan", "-n", "5").Output);
    }

    [PeerFact("redis-cli")]
    public void Bigkeys_and_memkeys_report_what_redis_cli_does()
    {
        Call("SET", "text", "hello");
        Call("SET", "longer", "hello world");
        Call("RPUSH", "list", "a", "b", "c");
        Call("HSET", "hash\n", "a", "1");
        Call("ZADD", "sorted", "1", "a", "2", "b");
        foreach (string option in (string[])["--bigkeys", "--memkeys"])
        {
            var expected = CliRun.Theirs(Peers.Find("redis-cli"), ["-p", Port, option]);
            CliRun actual = Run(option);
            Assert.Equal(expected.ExitCode, actual.ExitCode);
            // Types are in no order there; the percentages are those of steps of other lengths.
            Assert.Equal(Summary(expected.Output), Summary(actual.Output));
            Assert.Equal(Heading(expected.Output), Heading(actual.Output));
        }
    }

    [Fact]
    public void Hotkeys_need_a_policy_that_counts_and_list_the_most_used_first()
    {
        Fill(20);
        CliRun refused = Run("--hotkeys");
        Assert.Equal(1, refused.ExitCode);
        Assert.Contains("LFU", refused.Error, StringComparison.Ordinal);
        Call("CONFIG", "SET", "maxmemory-policy", "allkeys-lfu");
        Fill(20);
        CliRun run = Run("--hotkeys-count", "3");
        Assert.Equal(0, run.ExitCode);
        string[] found = [.. Lines(run).Where(static line => line.StartsWith("hot key found with counter: ", StringComparison.Ordinal))];
        Assert.Equal(3, found.Length);
        Assert.All(found, static line => Assert.Matches("counter: [0-9]+\tkeyname: \"key:[0-9]+\"$", line));
    }

    [Fact]
    public void Pipe_counts_replies_and_errors()
    {
        string requests = string.Concat(
            Enumerable.Range(0, 5000).Select(static number => $"*3\r\n$3\r\nSET\r\n$4\r\n{number:0000}\r\n$1\r\nv\r\n")
        );
        var run = CliRun.Ours(["-p", Port, "--pipe"], requests);
        Assert.Equal(
            (0, "All data transferred. Waiting for the last reply...\nLast reply received from server.\nerrors: 0, replies: 5000\n"),
            (run.ExitCode, run.Output)
        );
        var inline = CliRun.Ours(["-p", Port, "--pipe"], "PING\r\nLRANGE none 0 -1\nINCR 0001\nHGETALL nosuch\nMGET 0001 0002 none\nPING");
        Assert.Equal(1, inline.ExitCode);
        Assert.EndsWith("errors: 1, replies: 6\n", inline.Output, StringComparison.Ordinal);
        Assert.Equal("ERR value is not an integer or out of range\n", inline.Error);
    }

    [Fact]
    public void Pipe_gives_up_a_server_that_stops_answering_or_is_gone()
    {
        using var silent = new ScriptedServer(static _ => []);
        var late = CliRun.Ours(["-p", silent.Port, "--pipe", "--pipe-timeout", "1"], "PING\r\n");
        Assert.Equal(1, late.ExitCode);
        Assert.Contains("No replies for 1 seconds: exiting.", late.Error, StringComparison.Ordinal);
        using var closing = ScriptedServer.Once("+PONG\r\n"u8.ToArray());
        Assert.Contains(
            "Error reading replies from server",
            CliRun.Ours(["-p", closing.Port, "--pipe"], "PING\r\n").Error,
            StringComparison.Ordinal
        );
        using var liar = ScriptedServer.Once("what\r\n"u8.ToArray());
        Assert.Contains("none of RESP's", CliRun.Ours(["-p", liar.Port, "--pipe"], "PING\r\n").Error, StringComparison.Ordinal);
    }

    // Each would take memory without end, or never end, if the numbers were believed.
    [Theory]
    [InlineData("*9223372036854775807\r\n:1\r\n", "A reply has too many elements.")]
    [InlineData("%4611686018427387905\r\n:1\r\n", "A reply has too many elements.")]
    [InlineData("$9223372036854775807\r\nabc", "A bulk string's length is out of range.")]
    [InlineData("+", "A line of a reply is too long.")]
    public void Pipe_gives_up_a_server_that_lies(string reply, string message)
    {
        // It stays: a server that closes with bytes unread may reset the connection before its reply has been read.
        using var server = new ScriptedServer(_ => Encoding.Latin1.GetBytes(reply + new string('x', 2 * 1024 * 1024)));
        var run = CliRun.Ours(["-p", server.Port, "--pipe", "--pipe-timeout", "5"], "PING\r\n");
        Assert.Equal((1, $"Error reading replies from server: {message}\n"), (run.ExitCode, run.Error));
    }

    // Renaming a file to the name of a device would replace the device, for root.
    [LinuxFact]
    public void A_snapshot_goes_into_a_device_or_through_a_link()
    {
        using var pipe = Process.Start("mkfifo", [Path.Combine(_folder, "fifo")]);
        pipe.WaitForExit();
        Call("CONFIG", "SET", "repl-diskless-sync-delay", "0");
        Task<byte[]> received = Task.Run(() => File.ReadAllBytes(Path.Combine(_folder, "fifo")));
        CliRun run = Run("--rdb", Path.Combine(_folder, "fifo"));
        Assert.True(run.ExitCode == 0, run.Error);
        Assert.NotEmpty(received.Result);
        string link = Path.Combine(_folder, "link");
        File.CreateSymbolicLink(link, "target");
        Assert.Equal(0, Run("--rdb", link).ExitCode);
        Assert.Equal("target", new FileInfo(link).LinkTarget);
        Assert.NotEmpty(File.ReadAllBytes(Path.Combine(_folder, "target")));
        Assert.Equal(["fifo", "link", "target"], Directory.GetFiles(_folder).Select(Path.GetFileName).Order(StringComparer.Ordinal));
    }

    [Fact]
    public void A_snapshot_is_written_whole_or_not_at_all()
    {
        Fill(100);
        Call("CONFIG", "SET", "repl-diskless-sync-delay", "0");
        string file = Path.Combine(_folder, "dump.rdb");
        CliRun run = Run("--rdb", file);
        Assert.True(run.ExitCode == 0, run.Error);
        byte[] bytes = File.ReadAllBytes(file);
        Assert.Matches("^(REDIS|VALKEY)[0-9]+", Encoding.Latin1.GetString(bytes, 0, 12));
        Assert.Contains($"Transfer finished with success after {bytes.Length} bytes", run.Error, StringComparison.Ordinal);
        Assert.Equal(bytes.Length, Run("--rdb", "-").Output.Length);
        using var cut = ScriptedServer.Once("+OK\r\n"u8.ToArray());
        Assert.Equal(1, CliRun.Ours(["-p", cut.Port, "--rdb", file]).ExitCode);
        Assert.Equal(bytes, File.ReadAllBytes(file));
        Assert.Contains("it is a folder", Run("--rdb", _folder).Error, StringComparison.Ordinal);
        Assert.False(File.Exists(_folder + ".part"));
        Assert.Equal([file], Directory.GetFiles(_folder));
        Assert.Contains("Error writing", Run("--rdb", Path.Combine(_folder, "none", "x")).Error, StringComparison.Ordinal);
    }

    [Fact]
    public void A_snapshot_may_have_the_functions_alone()
    {
        Fill(100);
        Call("CONFIG", "SET", "repl-diskless-sync-delay", "0");
        Call("FUNCTION", "LOAD", "#!lua name=lib\nserver.register_function('f', function() return 'told' end)");
        string file = Path.Combine(_folder, "functions.rdb");
        CliRun run = Run("--functions-rdb", file);
        Assert.True(run.ExitCode == 0, run.Error);
        string bytes = Encoding.Latin1.GetString(File.ReadAllBytes(file));
        Assert.Matches("^(REDIS|VALKEY)[0-9]+", bytes[..12]);
        Assert.Contains("register_function", bytes, StringComparison.Ordinal);
        Assert.DoesNotContain("key:", bytes, StringComparison.Ordinal);
        using var old = new ScriptedServer(static request =>
            request.Contains("filter", StringComparison.Ordinal) ? "-ERR Unrecognized option\r\n"u8.ToArray() : "+OK\r\n"u8.ToArray()
        );
        Assert.Equal(
            new CliRun(1, "", "Failed requesting functions only RDB from server, aborting\n"),
            CliRun.Ours(["-p", old.Port, "--functions-rdb", file])
        );
    }

    // A value of 512 MiB must not need its size again as text.
    [Theory]
    [InlineData("", "", "--raw")]
    [InlineData("\"", "\\\"", "--no-raw")]
    [InlineData("\"", "\\\"", "--csv")]
    [InlineData("\"", "\\\"", "--json")]
    [InlineData("\"", "\\\\\"", "--quoted-json")]
    public void A_large_reply_is_written_in_parts(string quote, string escape, string format)
    {
        string value = string.Concat(Enumerable.Repeat(new string('v', 99_999) + "\"", 10));
        Call("SET", "large", value);
        var output = new CapturedOutput();
        var host = new CliHost(() => Stream.Null, output, new CapturedOutput(), static _ => null);
        Assert.Equal(0, new CliProgram(host).Run(["-p", Port, format, "GET", "large"]));
        string expected = quote.Length == 0 ? value : value.Replace("\"", escape, StringComparison.Ordinal);
        Assert.Equal($"{quote}{expected}{quote}\n", Encoding.Latin1.GetString(output.Bytes));
        Assert.InRange(output.LargestWrite, 1, 64 * 1024);
    }

    [PeerFact("redis-cli")]
    public void A_script_gets_keys_and_arguments_as_from_redis_cli()
    {
        string file = Path.Combine(_folder, "script.lua");
        File.WriteAllText(file, "return {#KEYS, #ARGV, KEYS[1], ARGV[1]}");
        string[][] arguments =
        [
            [],
            ["k"],
            ["k1", "k2", ",", "a"],
            [",", "a", ",", "b"],
            ["k", ","],
        ];
        foreach (string[] each in arguments)
        {
            string[] line = ["-p", Port, "--no-raw", "--eval", file, .. each];
            Assert.Equal(CliRun.Theirs(Peers.Find("redis-cli"), line), CliRun.Ours(line));
        }
    }

    [Fact]
    public void Latency_and_statistics_print_lines_of_the_known_form()
    {
        Assert.Matches("^[0-9]+ [0-9]+ [0-9]+\\.[0-9]{2} [0-9]+\n$", Run("--latency", "-i", "0.05").Output);
        Assert.Matches("^[0-9]+,[0-9]+,[0-9]+\\.[0-9]{2},[0-9]+\n$", Run("--latency", "--csv", "-i", "0.05").Output);
        Assert.Matches(
            "^\\{\"min\": [0-9]+, \"max\": [0-9]+, \"avg\": [0-9.]+, \"count\": [0-9]+\\}\n$",
            Run("--latency", "--json", "-i", "0.05").Output
        );
        Fill(7);
        string[] lines = Lines(Run("--stat", "-r", "2", "-i", "0.01"));
        Assert.Equal(4, lines.Length);
        Assert.Equal("keys       mem      clients blocked requests            connections          ", lines[1]);
        Assert.All(lines[2..], static line => Assert.Matches("^7 +[0-9.]+[BKMG] +[0-9]+ +0 +[0-9]+ \\(\\+[0-9]+\\) +[0-9]+ +$", line));
        Assert.Contains("\u001b[48;5;", Run("--latency-dist", "-r", "1", "-i", "0.02").Output, StringComparison.Ordinal);
    }

    [Fact]
    public void The_first_line_of_the_input_is_the_password_where_there_is_no_terminal()
    {
        using var server = TestServer.Start(static options => options.Password = "se cret");
        string port = server.EndPoint.Port.ToString(CultureInfo.InvariantCulture);
        Assert.Equal("PONG\n", CliRun.Ours(["-p", port, "--askpass", "PING"], "se cret\n").Output);
        foreach (string variable in (string[])["GARNET_AUTH", "REDISCLI_AUTH", "VALKEYCLI_AUTH"])
        {
            var variables = new Dictionary<string, string> { [variable] = "se cret" };
            Assert.Equal("PONG\n", CliRun.Ours(["-p", port, "PING"], variables: variables).Output);
        }

        var uri = CliRun.Ours(["-u", $"redis://default:se%20cret@127.0.0.1:{port}/3", "SET", "k", "v"]);
        Assert.Equal("OK\n", uri.Output);
        Assert.StartsWith("Warning: Using a password", uri.Error, StringComparison.Ordinal);
        Assert.Equal("k\n", CliRun.Ours(["-u", $"redis://:se%20cret@127.0.0.1:{port}", "-n", "3", "--scan"]).Output);
    }

    private string Port => _server.EndPoint.Port.ToString(CultureInfo.InvariantCulture);

    private CliRun Run(params string[] arguments) => CliRun.Ours(["-p", Port, .. arguments]);

    private void Call(params string[] arguments)
    {
        using RespExchange exchange = _server.Connect();
        Assert.DoesNotContain("-", exchange.ExecuteText(arguments)[..1], StringComparison.Ordinal);
    }

    private void Fill(int count)
    {
        using RespExchange exchange = _server.Connect();
        for (int i = 0; i < count; i++)
            exchange.Execute("SET", $"key:{i}", "v");
    }

    private static string[] Lines(CliRun run) => run.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries);

    private static string[] Summary(string output) => [.. output[SummaryStart(output)..].Split('\n').Skip(1).Order(StringComparer.Ordinal)];

    private static string[] Heading(string output) =>
        [.. output[..SummaryStart(output)].Split('\n').Where(static line => line.StartsWith('#'))];

    private static int SummaryStart(string output) => output.IndexOf("-------- summary", StringComparison.OrdinalIgnoreCase);
}
