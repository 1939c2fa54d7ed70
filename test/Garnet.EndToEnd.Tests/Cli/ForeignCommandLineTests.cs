// Command lines and files as scripts, charts and compose files for Redis and Valkey have them. Child processes on sockets in temporary
// folders.
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Cli;

public sealed class ForeignCommandLineTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-foreign-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData("save", "900 1 300 10 60 10000", "--save", "900", "1", "--save", "300 10", "--save", "60", "10000")]
    [InlineData("save", "60 1", "--save", "900", "1", "--save", "", "--save", "60", "1")]
    [InlineData("save", "", "--save")]
    [InlineData("save", "", "--save", "--maxmemory", "100mb")]
    [InlineData("bind", "127.0.0.1 -::1", "--bind", "127.0.0.1", "-::1")]
    [InlineData("bind", "127.0.0.1 -::1", "--bind", "127.0.0.1 -::1", "--timeout", "5")]
    [InlineData("daemonize", "yes", "--daemonize", "yes", "--supervised", "upstart")]
    [InlineData("strict", "yes", "--strict")]
    [InlineData("slowlog-log-slower-than", "-1", "--slowlog-log-slower-than", "-1")]
    [InlineData(
        "client-output-buffer-limit",
        "normal 1 1 1 slave 2 2 2 pubsub 33554432 8388608 60",
        "--client-output-buffer-limit",
        "normal 1 1 1",
        "--client-output-buffer-limit",
        "replica 2 2 2"
    )]
    [InlineData("hz", "10", "--dynamic-hz", "yes", "--user", "app", "on", ">secret", "~*", "-@all", "-flushall")]
    public void A_setting_is_taken(string option, string value, params string[] arguments)
    {
        using var garnet = GarnetProcess.Start(arguments);
        using RespExchange client = garnet.Connect();
        Assert.Equal($"*2\r\n${option.Length}\r\n{option}\r\n${value.Length}\r\n{value}\r\n", client.ExecuteText("CONFIG", "GET", option));
    }

    // Includes are read where they stand: what comes later wins.
    [Fact]
    public void Included_files_are_read_where_they_stand()
    {
        string one = Path.Combine(_folder, "one.conf");
        string two = Path.Combine(_folder, "two.conf");
        File.WriteAllText(one, "timeout 5\nmaxmemory-samples 7\nrename-command FLUSHALL \"\"\n");
        File.WriteAllText(two, "maxmemory-samples 8\n");
        using var garnet = GarnetProcess.Start("--timeout", "4", "--include", one, "--include", two, "--hash-max-listpack-entries", "3");
        using RespExchange client = garnet.Connect();
        Assert.Equal(
            "*6\r\n$25\r\nhash-max-listpack-entries\r\n$1\r\n3\r\n$17\r\nmaxmemory-samples\r\n$1\r\n8\r\n$7\r\ntimeout\r\n$1\r\n5\r\n",
            client.ExecuteText("CONFIG", "GET", "timeout", "maxmemory-samples", "hash-max-listpack-entries")
        );
        Assert.StartsWith("-ERR unknown command 'FLUSHALL'", client.ExecuteText("FLUSHALL"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("- --port 0 --unixsocket $0/s --dir $0")]
    [InlineData("--port 0 --unixsocket $0/s --dir $0 -")]
    public void A_configuration_is_read_from_standard_input(string arguments)
    {
        const string Text = "maxmemory 7mb\\ntimeout 3\\nsave \\\"\\\"";
        string start = $"printf \"{Text}\" | {string.Join(' ', GarnetProcess.Tool)} {arguments} > $0/log 2>&1 & echo $! > $0/pid;";
        const string Wait = " tries=0; until grep -q Ready $0/log || [ $tries -ge 300 ]; do sleep 0.1; tries=$((tries + 1)); done;";
        var run = ClientProcess.Run("/bin/sh", ["-c", start + Wait + " cat $0/log", _folder]);
        Assert.Contains("Ready to accept connections", run.Output, StringComparison.Ordinal);
        Assert.Contains("at most 7mb of memory", run.Output, StringComparison.Ordinal);
        using (var client = RespExchange.Connect(new System.Net.Sockets.UnixDomainSocketEndPoint(Path.Combine(_folder, "s"))))
        {
            Assert.Equal("-ERR The server is running without a config file\r\n", client.ExecuteText("CONFIG", "REWRITE"));
            Assert.Null(client.Execute("SHUTDOWN", "NOSAVE"));
        }
    }

    [Fact]
    public void Standard_input_overrides_the_file_and_its_faults_have_line_numbers()
    {
        string file = Path.Combine(_folder, "garnet.conf");
        File.WriteAllText(file, "timeout 3\n");
        string tool = string.Join(' ', GarnetProcess.Tool);
        var run = ClientProcess.Run("/bin/sh", ["-c", $"printf 'hz 1\\nprot 1\\n' | {tool} {file} -"]);
        Assert.Equal(1, run.ExitCode);
        Assert.StartsWith(
            "garnet: standard input line 2: unknown option 'prot' (did you mean port?)",
            run.Output,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void What_has_no_effect_is_logged_once()
    {
        using var garnet = GarnetProcess.Start("--daemonize", "yes", "--activedefrag", "yes", "--hz", "10", "--io-threads-do-reads", "yes");
        garnet.Signal("TERM");
        Assert.Equal(0, garnet.WaitForExit(Patience));
        Assert.Contains("daemonize yes: the server stays in the foreground", garnet.Output, StringComparison.Ordinal);
        Assert.Contains(
            "Options that have no effect here: activedefrag\n",
            garnet.Output.ReplaceLineEndings("\n"),
            StringComparison.Ordinal
        );
        Assert.Contains("io-threads-do-reads (I/O threads always read, too)", garnet.Output, StringComparison.Ordinal);
        ClientProcess strict = GarnetProcess.Run("--strict", "--activedefrag", "yes", "--port", "0");
        Assert.Equal(1, strict.ExitCode);
        Assert.Contains("Options that have no effect here: activedefrag", strict.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void REWRITE_keeps_the_names_of_commands()
    {
        string file = Path.Combine(_folder, "garnet.conf");
        File.WriteAllText(file, "rename-command FLUSHALL \"\"\nrename-command GET fetch\n");
        using var garnet = GarnetProcess.Start(file);
        using RespExchange client = garnet.Connect();
        Assert.Equal("$-1\r\n", client.ExecuteText("fetch", "a"));
        Assert.Equal("+OK\r\n", client.ExecuteText("CONFIG", "REWRITE"));
        Assert.Equal(["rename-command FLUSHALL \"\"", "rename-command GET fetch"], File.ReadAllLines(file)[..2]);
    }
}
