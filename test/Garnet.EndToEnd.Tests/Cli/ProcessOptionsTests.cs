// The options about the process: pidfile, oom-score-adj, unixsocketgroup, hash-seed. Each test has its own process.
using System.Globalization;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Cli;

public sealed class ProcessOptionsTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    [Fact]
    public void The_file_with_the_process_ID_is_there_while_the_server_runs()
    {
        using var garnet = GarnetProcess.Start("--pidfile", "garnet.pid");
        string path = Path.Combine(garnet.Folder, "garnet.pid");
        using (RespExchange client = garnet.Connect())
        {
            string info = client.ExecuteText("INFO", "server");
            Assert.Contains($"process_id:{File.ReadAllText(path).TrimEnd()}\r\n", info, StringComparison.Ordinal);
        }

        garnet.Signal("TERM");
        Assert.Equal(0, garnet.WaitForExit(Patience));
        Assert.False(File.Exists(path));
    }

    [Fact]
    public void A_file_that_cannot_be_written_is_logged()
    {
        using var garnet = GarnetProcess.Start("--pidfile", "no/such/folder/garnet.pid");
        garnet.Signal("TERM");
        Assert.Equal(0, garnet.WaitForExit(Patience));
        Assert.Contains("no/such/folder/garnet.pid: cannot be written: ", garnet.Output, StringComparison.Ordinal);
    }

    [LinuxFact]
    public void Linux_is_told_what_to_end_first()
    {
        // Only a privileged process may go below what it started with.
        int initial = int.Parse(File.ReadAllText("/proc/self/oom_score_adj"), CultureInfo.InvariantCulture);
        using var garnet = GarnetProcess.Start("--oom-score-adj", "relative", "--oom-score-adj-values", "7", "8", "9");
        using RespExchange client = garnet.Connect();
        Assert.Equal(Math.Min(initial + 7, 1000), Score());
        Assert.Equal("+OK\r\n", client.ExecuteText("CONFIG", "SET", "oom-score-adj-values", "2000 2000 2000"));
        Assert.Equal(1000, Score());
        Assert.Equal("+OK\r\n", client.ExecuteText("CONFIG", "SET", "oom-score-adj", "absolute", "oom-score-adj-values", "990 0 0"));
        Assert.Equal(990, Score());
        Assert.Equal("+OK\r\n", client.ExecuteText("CONFIG", "SET", "oom-score-adj", "no"));
        Assert.Equal(initial, Score());
        Assert.Equal(
            "-ERR CONFIG SET failed (possibly related to argument 'oom-score-adj-values') - wrong number of arguments\r\n",
            client.ExecuteText("CONFIG", "SET", "oom-score-adj-values", "1 2")
        );

        int Score() => int.Parse(File.ReadAllText($"/proc/{garnet.Id}/oom_score_adj"), CultureInfo.InvariantCulture);
    }

    [LinuxFact]
    public void The_socket_belongs_to_the_group()
    {
        // A user may give a file to any of its groups; root to every group.
        string[] own = ClientProcess.Run("/usr/bin/id", ["-Gn"]).Output.Trim().Split(' ');
        string group = Environment.UserName == "root" ? "daemon" : own[^1];
        using var garnet = GarnetProcess.Start("--unixsocketgroup", group, "--unixsocketperm", "660");
        string[] state = ClientProcess.Run("/usr/bin/stat", ["-c", "%G %a", garnet.EndPoint.ToString()!]).Output.Trim().Split(' ');
        Assert.Equal([group, "660"], state);
        ClientProcess unknown = GarnetProcess.Run(
            "--port",
            "0",
            "--unixsocket",
            garnet.EndPoint + "2",
            "--unixsocketgroup",
            "no-such-group"
        );
        Assert.Equal(1, unknown.ExitCode);
        Assert.Equal("garnet: unixsocketgroup no-such-group: this system has no such group", unknown.Output.Trim());
    }

    [Fact]
    public void Servers_with_one_seed_return_keys_in_one_order()
    {
        string[] orders = [Order("one"), Order("one"), Order("another")];
        Assert.Equal(orders[0], orders[1]);
        Assert.NotEqual(orders[0], orders[2]);

        static string Order(string seed)
        {
            using var server = TestServer.Start(options => options.HashSeed = seed);
            using RespExchange client = server.Connect();
            for (int i = 0; i < 500; i++)
                client.ExecuteText("SET", $"key:{i}", "v");
            return client.ExecuteText("KEYS", "*");
        }
    }
}
