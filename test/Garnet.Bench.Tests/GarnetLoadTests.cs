// The whole command against a real server in the test's process.
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using Garnet.Bench.Workloads;
using Garnet.Testing;
using Xunit;

namespace Garnet.Bench.Tests;

public sealed class GarnetLoadTests
{
    [Theory]
    [InlineData]
    [InlineData("-3")]
    [InlineData("-P", "16", "--threads", "2", "-c", "6")]
    [InlineData("--dbnum", "3")]
    [InlineData("--data-size-range", "1-300000")]
    [InlineData("--rate", "100000", "--arrivals", "poisson")]
    public async Task Values_read_are_those_written(params string[] arguments)
    {
        using var server = TestServer.Start();
        BenchRun run = await RunAsync(server, ["-n", "500", "-r", "50", "--ratio", "1:2", "--fill", "--verify", "--json", .. arguments]);
        Assert.Equal((0, ""), (run.ExitCode, run.Errors));
        Assert.Equal(500, run.Count("requests", command: 2));
        Assert.Equal((0, 0, 0), (run.Count("nulls", 2), run.Count("errors", 2), run.Count("wrong_values", 2)));
        Assert.StartsWith("Garnet ", run.Json.GetProperty("servers")[0].GetProperty("product").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_value_that_another_client_wrote_is_noticed()
    {
        using var server = TestServer.Start();
        using (RespExchange exchange = server.Connect())
            exchange.ExecuteText("SET", "key:0", "other");
        BenchRun run = await RunAsync(server, "-n", "10", "-c", "1", "-r", "1", "--ratio", "0:1", "--verify", "--json");
        Assert.Equal((2, 10), (run.ExitCode, run.Count("wrong_values")));
    }

    [Fact]
    public async Task Fill_writes_each_key_once()
    {
        using var server = TestServer.Start();
        BenchRun run = await RunAsync(server, "-n", "10", "-c", "7", "--threads", "3", "-r", "1001", "--fill", "--command", "PING");
        Assert.Equal(0, run.ExitCode);
        using RespExchange exchange = server.Connect();
        Assert.Equal(":1001\r\n", exchange.ExecuteText("DBSIZE"));
    }

    [Fact]
    public async Task Every_test_runs_without_errors()
    {
        using var server = TestServer.Start();
        BenchRun run = await RunAsync(server, "-n", "64", "-c", "2", "-P", "4", "-r", "100", "-t", "all", "--json");
        foreach (JsonElement test in run.Json.GetProperty("tests").EnumerateArray())
            Assert.True(test.GetProperty("commands")[0].GetProperty("errors").GetInt64() == 0, test.ToString());
        Assert.Equal(BuiltInTests.Table.Count, run.Json.GetProperty("tests").GetArrayLength());
        Assert.Equal(0, run.ExitCode);
    }

    [Fact]
    public async Task A_sequence_of_commands_keeps_its_order()
    {
        using var server = TestServer.Start();
        BenchRun run = await RunAsync(server, "-n", "400", "-c", "2", "--json", "--", "multi", ";", "2", "incr", "n", ";", "exec");
        Assert.Equal(0, run.ExitCode);
        using RespExchange exchange = server.Connect();
        // A connection whose last transaction was cut off has not executed it.
        long increments = run.Count("requests", command: 1);
        int executed = int.Parse(exchange.ExecuteText("GET", "n").Split("\r\n")[1], CultureInfo.InvariantCulture);
        Assert.InRange(executed, increments - 4, increments);
    }

    [Fact]
    public async Task A_user_logs_in()
    {
        using var server = TestServer.Start();
        using (RespExchange exchange = server.Connect())
            Assert.Equal("+OK\r\n", exchange.ExecuteText("ACL", "SETUSER", "u", "on", ">pw", "~*", "+@all"));
        Assert.Equal(0, (await RunAsync(server, "--user", "u", "-a", "pw")).ExitCode);
        Assert.Equal(0, (await RunAsync(server, "--user", "u", "-a", "pw", "-3")).ExitCode);
        BenchRun refused = await RunAsync(server, "--user", "u", "-a", "no");
        Assert.Equal(1, refused.ExitCode);
        Assert.Contains("check --user and the password", refused.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task TLS_is_spoken_and_certificates_are_checked()
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync();
        string port = server.EndPoint.Port.ToString(CultureInfo.InvariantCulture);
        string[] load =
        [
            "-p",
            port,
            "--tls",
            "-n",
            "400",
            "-c",
            "3",
            "-P",
            "5",
            "-r",
            "20",
            "--fill",
            "--verify",
            "--ratio",
            "1:1",
            "--json",
        ];
        foreach (string size in (string[])["10", "100000"])
        {
            BenchRun run = await BenchRun.RunAsync([.. load, "-d", size, "--cacert", server.Certificates.AuthorityFile]);
            Assert.Equal((0, ""), (run.ExitCode, run.Errors));
            Assert.Equal((400, 0), (run.Count("requests", 2), run.Count("wrong_values", 2)));
        }

        Assert.Equal(0, (await BenchRun.RunAsync([.. load, "-d", "10", "--insecure"])).ExitCode);
        BenchRun unknown = await BenchRun.RunAsync(load);
        Assert.Equal(1, unknown.ExitCode);
        Assert.Contains("--cacert", unknown.Errors, StringComparison.Ordinal);
        BenchRun plain = await BenchRun.RunAsync("-p", port, "--connect-timeout", "2", "--reply-timeout", "2");
        Assert.Equal(1, plain.ExitCode);
        Assert.Single(plain.Errors.Split('\n', StringSplitOptions.RemoveEmptyEntries));
    }

    [LinuxFact]
    public async Task A_Unix_socket_is_reached()
    {
        string folder = Directory.CreateTempSubdirectory("garnet-bench-").FullName;
        string path = Path.Combine(folder, "s");
        await using GarnetServer server = new GarnetServerBuilder().Listen(new UnixDomainSocketEndPoint(path)).Build();
        await server.StartAsync();
        BenchRun run = await BenchRun.RunAsync("-s", path, "--json");
        Assert.Equal((0, 200), (run.ExitCode, run.Count("requests", 2)));
        await server.StopAsync();
        Directory.Delete(folder, recursive: true);
    }

    [Fact]
    public async Task Two_servers_are_compared()
    {
        using var first = TestServer.Start();
        using var second = TestServer.Start();
        string against = $"127.0.0.1:{second.EndPoint.Port}";
        BenchRun run = await RunAsync(first, "-n", "100", "-c", "2", "--against", against, "--rounds", "3", "--json", "-t", "set,get");
        Assert.Equal((0, ""), (run.ExitCode, run.Errors));
        string[] servers =
        [
            .. run.Json.GetProperty("tests").EnumerateArray().Select(static test => test.GetProperty("server").GetString()!),
        ];
        string own = $"127.0.0.1:{first.EndPoint.Port}";
        Assert.Equal([own, against, own, against], servers);
        Assert.All(
            run.Json.GetProperty("tests").EnumerateArray(),
            static test => Assert.Equal(3, test.GetProperty("rounds").GetArrayLength())
        );
        JsonElement comparison = run.Json.GetProperty("comparison")[0];
        double ratio =
            run.Command(0, 0).GetProperty("requests_per_second").GetDouble()
            / run.Command(0, 1).GetProperty("requests_per_second").GetDouble();
        Assert.Equal(ratio, comparison.GetProperty("requests/s").GetDouble(), precision: 9);
        using RespExchange exchange = second.Connect();
        Assert.NotEqual(":0\r\n", exchange.ExecuteText("DBSIZE"));
    }

    [Fact]
    public async Task The_second_server_is_checked_as_the_first()
    {
        using var server = TestServer.Start();
        BenchRun run = await RunAsync(server, "--against", $"127.0.0.1:{LoopbackPort.Free()}");
        Assert.Equal(1, run.ExitCode);
        Assert.Contains("connection refused", run.Errors, StringComparison.Ordinal);
        Assert.Equal(1, (await RunAsync(server, "--against", "a:b:c")).ExitCode);
    }

    [Fact]
    public async Task Results_go_to_files()
    {
        using var server = TestServer.Start();
        string folder = Directory.CreateTempSubdirectory("garnet-bench-").FullName;
        string csv = Path.Combine(folder, "r.csv");
        string json = Path.Combine(folder, "r.json");
        BenchRun run = await RunAsync(
            server,
            ["-t", "set", "--csv", "-o", csv, "--json-out-file", json, "--hdr-file-prefix", Path.Combine(folder, "h-")]
        );
        Assert.Equal((0, ""), (run.ExitCode, run.Output));
        Assert.Equal(2, (await File.ReadAllLinesAsync(csv)).Length);
        using var parsed = JsonDocument.Parse(await File.ReadAllTextAsync(json));
        Assert.Equal("set", parsed.RootElement.GetProperty("tests")[0].GetProperty("test").GetString());
        Assert.Contains("Percentile", await File.ReadAllTextAsync(Path.Combine(folder, "h-set-SET.txt")), StringComparison.Ordinal);
        Directory.Delete(folder, recursive: true);
    }

    // Each request has a connection, which the server counts; with a password and another database, too.
    [Theory]
    [InlineData]
    [InlineData("--dbnum", "2", "-3")]
    [InlineData("--fill", "-r", "20")]
    public async Task Connections_are_renewed_if_asked_for(params string[] arguments)
    {
        using var server = TestServer.Start();
        BenchRun run = await RunAsync(server, ["-n", "300", "-c", "3", "--threads", "2", "-k", "0", "--json", .. arguments]);
        Assert.Equal((0, 300), (run.ExitCode, run.Count("requests", 2)));
        using RespExchange exchange = server.Connect();
        string stats = exchange.ExecuteText("INFO", "stats");
        int connections = int.Parse(stats.Split("total_connections_received:")[1].Split('\r')[0], CultureInfo.InvariantCulture);
        Assert.InRange(connections, 300, 310);
    }

    [Fact]
    public async Task Several_keys_are_read_at_once()
    {
        using var server = TestServer.Start();
        BenchRun run = await RunAsync(server, "-n", "110", "-c", "1", "-r", "10", "--fill", "--multi-key-get", "3", "--json");
        Assert.Equal((0, "MGET"), (run.ExitCode, run.Command(1).GetProperty("command").GetString()));
        using RespExchange exchange = server.Connect();
        // One SET, then three of three keys and one of one.
        Assert.Equal((22, 88), (run.Count("requests"), run.Count("requests", 1)));
        Assert.Contains("keyspace_hits:220\r", exchange.ExecuteText("INFO", "stats"), StringComparison.Ordinal);
    }

    // An hour is not measured to find out at its end.
    [Theory]
    [InlineData("-o")]
    [InlineData("--json-out-file")]
    [InlineData("--hdr-file-prefix")]
    public async Task A_file_that_cannot_be_written_is_noticed_before_the_load(string option)
    {
        using var server = TestServer.Start();
        BenchRun run = await RunAsync(server, "-t", "set", "--test-time", "3600", option, "/no/such/folder/r");
        Assert.Equal(1, run.ExitCode);
        Assert.StartsWith($"garnet bench: {option} '/no/such/folder/r' cannot be written: ", run.Errors, StringComparison.Ordinal);
        using RespExchange exchange = server.Connect();
        Assert.Equal(":0\r\n", exchange.ExecuteText("DBSIZE"));
    }

    [Fact]
    public async Task A_file_keeps_what_it_has_until_there_is_a_result()
    {
        string folder = Directory.CreateTempSubdirectory("garnet-bench-").FullName;
        string old = Path.Combine(folder, "old");
        await File.WriteAllTextAsync(old, new string('x', 100_000));
        string port = $"{LoopbackPort.Free()}";
        BenchRun failed = await BenchRun.RunAsync("-p", port, "-o", old, "--json-out-file", Path.Combine(folder, "new"));
        Assert.Equal(1, failed.ExitCode);
        Assert.Equal([old], Directory.GetFiles(folder));
        Assert.Equal(100_000, new FileInfo(old).Length);
        using var server = TestServer.Start();
        Assert.Equal(0, (await RunAsync(server, "-q", "-t", "set", "-o", old)).ExitCode);
        Assert.Single(await File.ReadAllLinesAsync(old));
        Directory.Delete(folder, recursive: true);
    }

    [Fact]
    public async Task A_server_compared_with_itself_has_two_files()
    {
        using var server = TestServer.Start();
        string folder = Directory.CreateTempSubdirectory("garnet-bench-").FullName;
        string itself = $"127.0.0.1:{server.EndPoint.Port}";
        string prefix = Path.Combine(folder, "h-");
        Assert.Equal(0, (await RunAsync(server, "-t", "set", "--against", itself, "--rounds", "1", "--hdr-file-prefix", prefix)).ExitCode);
        Assert.Equal(2, Directory.GetFiles(folder).Length);
        Directory.Delete(folder, recursive: true);
    }

    [Theory]
    [InlineData("get")]
    [InlineData("hget")]
    [InlineData("zscore")]
    public async Task Tests_find_whatever_they_read(string test)
    {
        using var server = TestServer.Start();
        BenchRun run = await RunAsync(server, "-n", "3000", "-c", "5", "--threads", "2", "-r", "3001", "-t", test, "--json");
        Assert.Equal((0, 0, 3000), (run.ExitCode, run.Count("nulls"), run.Count("requests")));
    }

    [Fact]
    public async Task Fewer_keys_are_prepared_if_asked_for()
    {
        using var server = TestServer.Start();
        BenchRun run = await RunAsync(server, "-n", "1000", "-r", "1000", "-t", "get", "--prepare", "10", "--json");
        Assert.InRange(run.Count("nulls"), 900, 1000);
        Assert.Contains("of GET found nothing", run.Output, StringComparison.Ordinal);
        using RespExchange exchange = server.Connect();
        Assert.Equal(":10\r\n", exchange.ExecuteText("DBSIZE"));
    }

    [Fact]
    public async Task A_time_in_which_nothing_is_due_is_a_failure()
    {
        using var server = TestServer.Start();
        BenchRun run = await BenchRun.RunAsync(
            "-p",
            $"{server.EndPoint.Port}",
            "-n",
            "10",
            "--rate",
            "0.001",
            "--test-time",
            "0.001",
            "--warmup",
            "0.001"
        );
        Assert.Equal((1, ""), (run.ExitCode, run.Output));
        Assert.Contains("not one request was measured", run.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_table_and_lines_are_printed()
    {
        using var server = TestServer.Start();
        BenchRun table = await RunAsync(server);
        Assert.Contains("requests/s", table.Output, StringComparison.Ordinal);
        Assert.Contains("processor time a request: server ", table.Output, StringComparison.Ordinal);
        Assert.All(table.Output.Split('\n'), static line => Assert.InRange(line.Length, 0, 120));
        BenchRun quiet = await RunAsync(server, "-q", "-t", "ping,lrange");
        Assert.Equal(2, quiet.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);
        Assert.StartsWith("PING_MBULK: ", quiet.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_processor_time_of_a_named_process_is_read()
    {
        using var server = TestServer.Start();
        Assert.Equal(0, (await RunAsync(server, "--server-pid", $"{Environment.ProcessId}")).ExitCode);
        BenchRun gone = await RunAsync(server, "--server-pid", $"{int.MaxValue}");
        Assert.Equal(1, gone.ExitCode);
        Assert.Contains("--server-pid", gone.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Help_needs_no_server()
    {
        BenchRun run = await BenchRun.RunAsync("--help");
        Assert.Equal(0, run.ExitCode);
        Assert.Contains("Usage: garnet bench", run.Output, StringComparison.Ordinal);
    }

    private static Task<BenchRun> RunAsync(TestServer server, params string[] arguments) =>
        BenchRun.RunAsync(["-p", $"{server.EndPoint.Port}", .. arguments]);
}
