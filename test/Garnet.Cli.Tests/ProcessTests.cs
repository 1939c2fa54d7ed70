// The built command as a process: what only the operating system can show. Each test has its server.
using System.Diagnostics;
using System.Globalization;
using Garnet.Cli.Tests.Support;
using Garnet.Testing;
using Xunit;

namespace Garnet.Cli.Tests;

public sealed class ProcessTests : IDisposable
{
    private readonly TestServer _server = TestServer.Start();

    public void Dispose() => _server.Dispose();

    [Fact]
    public void A_command_is_a_run_with_output_and_exit_code()
    {
        Assert.Equal(new CliRun(0, "PONG\n", ""), Run("PING"));
        Assert.Equal(new CliRun(1, "", "ERR unknown command 'nosuch', with args beginning with: \n"), Run("-e", "nosuch"));
    }

    [Fact]
    public void Help_fits_a_terminal()
    {
        CliRun help = Garnet("cli", "--help");
        Assert.Equal(0, help.ExitCode);
        Assert.All(help.Output.Split('\n'), static line => Assert.True(line.Length <= 100, line));
        Assert.StartsWith("garnet cli ", Garnet("cli", "--version").Output, StringComparison.Ordinal);
    }

    [LinuxFact]
    public void The_end_of_a_pipe_ends_a_scan()
    {
        using (RespExchange exchange = _server.Connect())
        {
            for (int i = 0; i < 20_000; i++)
                exchange.Execute("SET", $"key:{i}", "v");
        }

        CliRun run = Shell("{ CLI --scan; echo exit $? >&2; } | head -1");
        Assert.StartsWith("key:", run.Output, StringComparison.Ordinal);
        Assert.Equal("exit 141\n", run.Error);
    }

    // The one asks for sizes for as long as it takes, the other is what somebody waits for.
    [Theory]
    [InlineData("--bigkeys", ProcessPriorityClass.Idle)]
    [InlineData("--memkeys", ProcessPriorityClass.Idle)]
    [InlineData("--hotkeys", ProcessPriorityClass.Idle)]
    [InlineData("--scan", null)]
    public void Reports_about_all_keys_leave_the_processor_to_others(string mode, ProcessPriorityClass? expected)
    {
        using var asked = new ManualResetEventSlim();
        using var server = new ScriptedServer(text =>
        {
            if (!text.Contains("SCAN", StringComparison.OrdinalIgnoreCase))
                return ":1\r\n"u8.ToArray();
            asked.Set();
            return [];
        });
        using var self = Process.GetCurrentProcess();
        string[] command = [.. GarnetProcess.Tool, "cli", "-p", server.Port, mode];
        using Process process = Process.Start(new ProcessStartInfo(command[0], command[1..]) { RedirectStandardOutput = true })!;
        try
        {
            Assert.True(asked.Wait(TimeSpan.FromMinutes(1)));
            Assert.Equal(expected ?? self.PriorityClass, process.PriorityClass);
        }
        finally
        {
            process.Kill();
            process.WaitForExit();
        }
    }

    // Two commands share the file: each writes behind the other.
    [LinuxFact]
    public void Output_to_a_file_is_appended_where_processes_share_it()
    {
        string file = Path.GetTempFileName();
        try
        {
            Assert.Equal(0, Shell($"{{ CLI ECHO one; CLI ECHO two; }} > {file}").ExitCode);
            Assert.Equal("one\ntwo\n", File.ReadAllText(file));
        }
        finally
        {
            File.Delete(file);
        }
    }

    [LinuxFact]
    public void Arguments_of_any_bytes_arrive()
    {
        Assert.Equal("\"\\xff\\xfe a\"\n", Shell("CLI --no-raw ECHO \"$(printf '\\377\\376 a')\"").Output);
    }

    [LinuxFact]
    public void Input_that_cannot_be_read_is_an_error()
    {
        foreach (string command in (string[])["CLI < /", "CLI -x ECHO < /", "CLI --askpass PING < /"])
            Assert.Equal(new CliRun(1, "", "Error reading the input: Is a directory\n"), Shell(command));
    }

    [LinuxFact]
    public void A_signal_leaves_no_part_of_a_snapshot()
    {
        using var server = new ScriptedServer(static request =>
            request.Contains("SYNC", StringComparison.Ordinal) ? "$1000000\r\nREDIS"u8.ToArray() : "+OK\r\n"u8.ToArray()
        );
        string folder = Directory.CreateTempSubdirectory("garnet-snapshot-").FullName;
        try
        {
            string cli = $"{string.Join(' ', GarnetProcess.Tool)} cli -p {server.Port}";
            string wait = $"until [ -e {folder}/x.part ]; do sleep 0.05; done";
            CliRun run = Shell($"{cli} --rdb {folder}/x & {wait}; kill -TERM $!; wait $!; echo $?");
            Assert.Empty(Directory.GetFiles(folder));
            Assert.NotEqual("0\n", run.Output);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [LinuxFact]
    public void Output_that_cannot_be_written_is_an_error()
    {
        CliRun run = Shell("CLI PING > /dev/full");
        Assert.Equal(1, run.ExitCode);
        Assert.Equal("Error writing the output: No space left on device\n", run.Error);
    }

    // Started by a shell that waits until the server has been asked for something, and then sends the signal.
    [LinuxFact]
    public void A_load_that_is_interrupted_shows_what_it_has_measured()
    {
        string bench = $"{string.Join(' ', GarnetProcess.Tool)} bench -p {Port}";
        string load = $"env --default-signal {bench} --command 'INCR n' --warmup 0.001 --test-time 3600 -q";
        string wait = $"until [ \"$(CLI GET n)\" ]; do sleep 0.05; done";
        CliRun run = Shell($"{load} & {wait}; kill -INT $!; wait $!; echo exit $?");
        Assert.StartsWith("INCR: ", run.Output, StringComparison.Ordinal);
        Assert.EndsWith("\nexit 130\n", run.Output, StringComparison.Ordinal);
    }

    [LinuxFact]
    public void A_result_of_a_load_whose_reader_is_gone_is_an_error()
    {
        string bench = $"{string.Join(' ', GarnetProcess.Tool)} bench -p {Port} -n 10";
        CliRun run = Shell($"{{ {bench} -q; echo exit $? >&2; }} | true");
        Assert.Equal("garnet bench: the result cannot be written: Broken pipe\nexit 1\n", run.Error);
        CliRun full = Shell($"{bench} -q > /dev/full");
        Assert.Equal(new CliRun(1, "", "garnet bench: the result cannot be written: No space left on device\n"), full);
    }

    private CliRun Run(params string[] arguments) => Garnet(["cli", "-p", Port, .. arguments]);

    private string Port => _server.EndPoint.Port.ToString(CultureInfo.InvariantCulture);

    private static CliRun Garnet(params string[] arguments) =>
        CliRun.Theirs(GarnetProcess.Tool[0], [.. GarnetProcess.Tool.Skip(1), .. arguments]);

    private CliRun Shell(string script) =>
        CliRun.Theirs(
            "/bin/sh",
            ["-c", script.Replace("CLI", $"{string.Join(' ', GarnetProcess.Tool)} cli -p {Port}", StringComparison.Ordinal)]
        );
}
