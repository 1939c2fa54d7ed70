// The built command as a child process: help, settings from all sources, signals, log. Sockets in a temporary folder.
using System.Text.RegularExpressions;
using Garnet.Server.Configuration;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Cli;

public sealed class CommandLineTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-cli-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Help_is_one_screen_and_names_real_options()
    {
        ClientProcess run = GarnetProcess.Run("--help");
        Assert.Equal(0, run.ExitCode);
        string[] lines = run.Output.TrimEnd().Split('\n');
        Assert.InRange(lines.Length, 10, 25);
        Assert.All(lines, static line => Assert.True(line.Length <= 100, line));
        string[] ownWords = ["help", "ping", "check", "lua", "version", "option", "service"];
        string[] named = [.. Regex.Matches(run.Output, "--([a-z-]+)").Select(static match => match.Groups[1].Value).Except(ownWords)];
        Assert.True(named.Length > 10);
        Assert.All(named, static name => Assert.NotNull(OptionTable.Find(name)));
    }

    [Fact]
    public void Help_all_lists_every_option_under_a_topic()
    {
        ClientProcess run = GarnetProcess.Run("--help", "all");
        Assert.Equal(0, run.ExitCode);
        Assert.All(OptionTable.Names, pair => Assert.Contains($"--{pair.Key}", run.Output, StringComparison.Ordinal));
        string[] topics =
        [
            "Addresses and threads",
            "TLS",
            "Clients",
            "Memory and data",
            "Saving",
            "Replication",
            "Logs, metrics and debugging",
            "For compatibility with Valkey",
        ];
        Assert.All(topics, topic => Assert.Equal(2, run.Output.Split($"\n{topic}:").Length));
        Assert.All(run.Output.Split('\n'), line => Assert.True(line.Length <= 120, line));
        Assert.Contains("--cluster-enabled no", run.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("maxmemory-policy", "--maxmemory-policy", "GARNET_MAXMEMORY_POLICY", "CONFIG SET changes it while the server runs")]
    [InlineData("--slowlog-max-len", "--commandlog-slow-execution-max-len", "GARNET_COMMANDLOG_SLOW_EXECUTION_MAX_LEN")]
    [InlineData("databases", "1 to 128", "Default: 16", "It holds until the server is started again")]
    [InlineData("aof", "--auto-aof-rewrite-percentage", "--aof-load-truncated")]
    public void Help_shows_one_option_in_full_and_all_that_contain_a_word(string topic, params string[] expected)
    {
        ClientProcess run = GarnetProcess.Run("--help", topic);
        Assert.Equal(0, run.ExitCode);
        Assert.All(
            expected,
            text =>
                Assert.Contains(
                    text,
                    run.Output.ReplaceLineEndings(" ").Replace("       ", " ", StringComparison.Ordinal),
                    StringComparison.Ordinal
                )
        );
    }

    [Fact]
    public void Help_guesses_what_a_mistyped_option_means()
    {
        ClientProcess run = GarnetProcess.Run("--help", "maxmemroy");
        Assert.Equal(1, run.ExitCode);
        Assert.Equal(
            "garnet: there is no option 'maxmemroy' (did you mean --maxmemory?); garnet --help all lists all",
            run.Output.TrimEnd()
        );
    }

    [Fact]
    public void A_limit_without_a_unit_causes_a_warning()
    {
        using var garnet = GarnetProcess.Start("--maxmemory", "10");
        garnet.Signal("TERM");
        Assert.Equal(0, garnet.WaitForExit(Patience));
        Assert.Contains(
            "maxmemory is 10 bytes, less than an empty server takes: writes will be refused. Sizes take a unit: 10mb",
            garnet.Output,
            StringComparison.Ordinal
        );
    }

    // As when a shell script starts a program with &.
    [Fact]
    public void An_ignored_interrupt_is_logged()
    {
        string log = Path.Combine(_folder, "log");
        string start =
            $"trap '' INT; {string.Join(' ', GarnetProcess.Tool)} --port 0 --unixsocket {_folder}/s --dir {_folder} > {log} 2>&1 &";
        string wait = $"tries=0; until grep -q Ready {log} || [ $tries -ge 300 ]; do sleep 0.1; tries=$((tries + 1)); done";
        var run = ClientProcess.Run("/bin/sh", ["-c", $"{start} {wait}; kill $!; wait $!; cat {log}"]);
        Assert.Contains("SIGINT (Ctrl+C) is ignored", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Version_is_one_line()
    {
        ClientProcess run = GarnetProcess.Run("--version");
        Assert.Equal(0, run.ExitCode);
        Assert.Matches(@"^Garnet server v=\d+\.\d+\.\d+ sha=[0-9a-f]{8}:0 malloc=native bits=64 build=(native|managed)\s*$", run.Output);
    }

    [Fact]
    public void The_command_line_overrides_the_file_and_REWRITE_writes_the_file()
    {
        string file = Path.Combine(_folder, "garnet.conf");
        File.WriteAllText(file, "# mine\ntimeout 5\ndatabases 3\n");
        using var garnet = GarnetProcess.Start(file, "--timeout", "6", "--slowlog-log-slower-than", "-1", "--save", "");
        using RespExchange client = garnet.Connect();
        Assert.Equal(
            "*6\r\n$9\r\ndatabases\r\n$1\r\n3\r\n$23\r\nslowlog-log-slower-than\r\n$2\r\n-1\r\n$7\r\ntimeout\r\n$1\r\n6\r\n",
            client.ExecuteText("CONFIG", "GET", "timeout", "databases", "slowlog-log-slower-than")
        );
        Assert.Equal("+OK\r\n", client.ExecuteText("CONFIG", "SET", "maxmemory", "64mb"));
        Assert.Equal("+OK\r\n", client.ExecuteText("CONFIG", "REWRITE"));
        string[] lines = File.ReadAllLines(file);
        Assert.Equal(["# mine", "timeout 6", "databases 3", "# Generated by CONFIG REWRITE"], lines[..4]);
        Assert.Contains("maxmemory 64mb", lines);
    }

    [Theory]
    [InlineData("TERM")]
    [InlineData("INT")]
    public void A_signal_ends_the_server_with_exit_code_0(string signal)
    {
        using var garnet = GarnetProcess.Start();
        using RespExchange idle = garnet.Connect();
        Assert.Equal("+PONG\r\n", idle.ExecuteText("PING"));
        garnet.Signal(signal);
        Assert.Equal(0, garnet.WaitForExit(Patience));
        Assert.Null(idle.ReadReply());
        Assert.False(File.Exists(garnet.EndPoint.ToString()));
        Assert.Contains($"SIG{signal}", garnet.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void The_start_logs_version_process_endpoint_threads_and_memory()
    {
        using var garnet = GarnetProcess.Start("--maxmemory", "64mb", "--transport", "sockets", "--io-threads", "2");
        garnet.Signal("TERM");
        Assert.Equal(0, garnet.WaitForExit(Patience));
        Assert.Matches(@"Garnet \d+\.\d+\.\d+( native)?, process " + garnet.Id, garnet.Output);
        Assert.Contains(
            "Transport sockets with 2 I/O thread(s), at most 64mb of memory, 16 databases",
            garnet.Output,
            StringComparison.Ordinal
        );
        Assert.Contains($"Ready to accept connections on unix:{garnet.EndPoint}", garnet.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void An_address_for_metrics_without_a_port_causes_a_warning()
    {
        using var garnet = GarnetProcess.Start("--metrics-bind", "127.0.0.2");
        garnet.Signal("TERM");
        Assert.Equal(0, garnet.WaitForExit(Patience));
        Assert.Contains("metrics-bind opens nothing as long as metrics-port is 0", garnet.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void The_log_is_written_to_the_file_with_its_level()
    {
        string log = Path.Combine(_folder, "garnet.log");
        using var garnet = GarnetProcess.Start("--logfile", log, "--loglevel", "notice");
        // It answers slightly before it logs that it does.
        Assert.True(
            SpinWait.SpinUntil(() => File.ReadAllText(log).Contains("Ready to accept connections", StringComparison.Ordinal), Patience)
        );
        using (RespExchange client = garnet.Connect())
            Assert.Equal("+OK\r\n", client.ExecuteText("CONFIG", "SET", "loglevel", "warning"));
        garnet.Signal("TERM");
        Assert.Equal(0, garnet.WaitForExit(Patience));
        Assert.Equal("", garnet.Output.Trim());
        Assert.DoesNotContain("SIGTERM", File.ReadAllText(log), StringComparison.Ordinal);
        Assert.All(
            File.ReadAllLines(log),
            line => Assert.Matches(new Regex(@"^\d+:M \d\d \w{3} \d{4} \d\d:\d\d:\d\d\.\d{3} [.*#-] "), line)
        );
    }

    [Fact]
    public void At_the_level_verbose_the_log_says_who_connects()
    {
        using var garnet = GarnetProcess.Start("--loglevel", "verbose");
        string id;
        using (RespExchange client = garnet.Connect())
            id = client.ExecuteText("CLIENT", "ID").Trim()[1..];
        string address = $"{garnet.EndPoint}:0, client {id}{Environment.NewLine}";
        Assert.True(SpinWait.SpinUntil(() => garnet.Output.Contains($" - Closed {address}", StringComparison.Ordinal), Patience));
        Assert.Contains($" - Accepted {address}", garnet.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("Connection id", garnet.Output, StringComparison.Ordinal);
        garnet.Signal("TERM");
        Assert.Equal(0, garnet.WaitForExit(Patience));
    }

    [Fact]
    public void Thread_pool_bounds_are_taken()
    {
        using var garnet = GarnetProcess.Start(
            "--thread-pool-min-threads",
            "70",
            "--thread-pool-max-threads",
            "80",
            "--thread-pool-min-io-completion-threads",
            "7",
            "--thread-pool-max-io-completion-threads",
            "90"
        );
        using RespExchange client = garnet.Connect();
        Assert.Equal(
            "*2\r\n$23\r\nthread-pool-min-threads\r\n$2\r\n70\r\n",
            client.ExecuteText("CONFIG", "GET", "thread-pool-min-threads")
        );
    }
}
