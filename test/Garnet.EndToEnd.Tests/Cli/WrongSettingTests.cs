// The command's error for an invalid setting: one line, exit code 1. Starts child processes that exit by themselves.
using System.Net;
using System.Net.Sockets;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Cli;

public sealed class WrongSettingTests
{
    [Theory]
    [InlineData("--port 70000: argument must be between 0 and 65535 inclusive", "--port", "70000")]
    [InlineData("--port x: argument couldn't be parsed into an integer (allowed: 0 to 65535)", "--port", "x")]
    [InlineData("--port needs a value (allowed: 0 to 65535)", "--port")]
    [InlineData("--port is given twice", "--port", "1", "--port", "2")]
    [InlineData("--bind needs a value (allowed: up to 16 words)", "--bind")]
    [InlineData("--unixsocket needs a value", "--unixsocket")]
    [InlineData("unknown option 'prot' (did you mean --port?)", "--prot", "1")]
    [InlineData("unknown option 'p'", "--bind", "127.0.0.1", "-p", "6380")]
    [InlineData("unknown option 'no-such'", "--no-such")]
    [InlineData("unknown option 'no-such'", "--port", "0", "--no-such", "yes")]
    [InlineData("unknown option 'no-such'", "--no-such=yes")]
    [InlineData("--rename-command: rename-command: wrong number of arguments", "--rename-command", "CONFIG")]
    [InlineData("--rename-command: rename-command NOSUCH x: No such command in rename-command", "--rename-command", "NOSUCH", "x")]
    [InlineData("rename-command get SET: Target command name already exists", "--rename-command", "GET", "SET")]
    [InlineData("--sentinel: sentinel: this server is not a Sentinel; run one of Valkey's beside it", "--sentinel")]
    [InlineData("--include: include: wrong number of arguments", "--include")]
    [InlineData("/no/such.conf: cannot be read: ", "--include", "/no/such.conf")]
    [InlineData("unexpected argument '-'", "-", "-")]
    [InlineData("--cluster-enabled yes: this server supports 'no' only: cluster mode is not implemented", "--cluster-enabled", "yes")]
    [InlineData("--gopher-enabled: gopher-enabled yes: only 'no' is accepted: the server does not speak Gopher", "--gopher-enabled", "yes")]
    [InlineData("--save 60: Invalid save parameters (allowed: \"\" | seconds changes [seconds changes ...])", "--save", "60")]
    [InlineData("--maxmemory-policy lru: argument(s) must be one of the following: volatile-lru", "--maxmemory-policy", "lru")]
    [InlineData("unexpected argument 'b.conf'", "a.conf", "b.conf")]
    [InlineData("/no/such.conf: cannot be read: ", "/no/such.conf")]
    [InlineData("--thread-pool-min-threads 40000: argument must be between 0 and 32767 inclusive", "--thread-pool-min-threads", "40000")]
    [InlineData(
        "thread-pool-min-threads: must not be greater than thread-pool-max-threads",
        "--thread-pool-min-threads",
        "999",
        "--thread-pool-max-threads",
        "900"
    )]
    [InlineData("nothing to listen on", "--port", "0")]
    [InlineData("logfile /no/such/place: cannot be opened: ", "--logfile", "/no/such/place")]
    [InlineData("bind nowhere.invalid: ", "--bind", "nowhere.invalid")]
    [InlineData("metrics-bind nowhere.invalid: ", "--metrics-port", "9121", "--metrics-bind", "nowhere.invalid")]
    public void A_wrong_setting_is_one_line_and_exit_code_1(string message, params string[] arguments) =>
        AssertRefused(GarnetProcess.Run(arguments), message);

    [Fact]
    public void A_wrong_variable_is_one_line_and_exit_code_1() =>
        AssertRefused(
            ClientProcess.Run("/usr/bin/env", ["GARNET_DATABASES=0", .. GarnetProcess.Tool]),
            "GARNET_DATABASES 0: argument must be between 1 and 128 inclusive"
        );

    [Fact]
    public void A_port_in_use_is_one_line_and_exit_code_1()
    {
        using var taken = new TcpListener(IPAddress.Loopback, 0);
        taken.Start();
        string endpoint = taken.LocalEndpoint.ToString()!;
        AssertRefused(
            GarnetProcess.Run("--bind", "127.0.0.1", "--port", endpoint[(endpoint.LastIndexOf(':') + 1)..]),
            $"{endpoint}: Address already in use: another program listens there; end it, or give another port or address"
        );
    }

    [Fact]
    public void A_port_for_metrics_in_use_is_one_line_and_exit_code_1()
    {
        using var taken = new TcpListener(IPAddress.Loopback, 0);
        taken.Start();
        string folder = Directory.CreateTempSubdirectory("garnet-wrong-").FullName;
        AssertRefused(
            GarnetProcess.Run(
                "--port",
                "0",
                "--unixsocket",
                Path.Combine(folder, "s"),
                "--metrics-port",
                $"{((IPEndPoint)taken.LocalEndpoint).Port}"
            ),
            $"{taken.LocalEndpoint}: Address already in use: another program listens there; end it, or give another port or address"
        );
        Directory.Delete(folder, recursive: true);
    }

    [Fact]
    public void A_Unix_socket_that_cannot_be_made_is_one_line_and_exit_code_1()
    {
        string folder = Directory.CreateTempSubdirectory("garnet-wrong-").FullName;
        string path = Path.Combine(folder, "file");
        File.WriteAllText(path, "not a socket");
        AssertRefused(
            GarnetProcess.Run("--port", "0", "--unixsocket", path),
            $"unix:{path}: Address already in use: it is taken by another server or an ordinary file; end the one, move the other away, or give another path"
        );
        Assert.Equal("not a socket", File.ReadAllText(path));
        AssertRefused(
            GarnetProcess.Run("--port", "0", "--unixsocket", "/no/such/folder/s"),
            "unix:/no/such/folder/s: Cannot assign requested address: its folder does not exist; make it, or give another path"
        );
        Directory.Delete(folder, recursive: true);
    }

    private static void AssertRefused(ClientProcess run, string message)
    {
        Assert.Equal(1, run.ExitCode);
        Assert.StartsWith($"garnet: {message}", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("(allowed: text)", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', run.Output.TrimEnd());
    }
}
