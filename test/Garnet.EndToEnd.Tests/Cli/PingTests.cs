// `garnet --ping`, the health check of the command line. Servers on Unix sockets and ports of the system's choice.
using System.Net;
using System.Net.Sockets;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Cli;

public sealed class PingTests
{
    [Fact]
    public void A_server_that_is_ready_gives_0()
    {
        using var garnet = GarnetProcess.Start();
        var run = GarnetProcess.Run("--ping", "--port", "0", "--unixsocket", garnet.EndPoint.ToString()!);
        Assert.Equal(0, run.ExitCode);
        Assert.Equal($"unix:{garnet.EndPoint}: PONG", run.Output.TrimEnd());
    }

    [Fact]
    public void An_address_for_all_is_asked_on_this_machine()
    {
        using var server = TestServer.Start();
        var run = GarnetProcess.Run("--ping", "--port", $"{server.EndPoint.Port}", "--bind", "*");
        Assert.Equal(0, run.ExitCode);
        Assert.Equal($"127.0.0.1:{server.EndPoint.Port}: PONG", run.Output.TrimEnd());
    }

    [Theory]
    [InlineData("secret", 0, "PONG")]
    [InlineData("", 0, "NOAUTH Authentication required.")]
    [InlineData("wrong", 1, "WRONGPASS invalid username-password pair or user is disabled.")]
    public void A_password_is_taken_from_the_options(string password, int exitCode, string text)
    {
        using var server = TestServer.Start(options => options.RequirePass = "secret");
        var run = GarnetProcess.Run("--ping", "--port", $"{server.EndPoint.Port}", "--requirepass", password);
        Assert.Equal(exitCode, run.ExitCode);
        Assert.Equal($"127.0.0.1:{server.EndPoint.Port}: {text}", run.Output.TrimEnd());
    }

    [Fact]
    public void A_server_that_refuses_commands_gives_1()
    {
        using var garnet = GarnetProcess.Start("--save", "3600", "1000000");
        using (var client = garnet.Connect())
        {
            Directory.CreateDirectory(Path.Combine(garnet.Folder, "dump.rdb.tmp"));
            client.ExecuteText("SAVE");
        }
        var run = GarnetProcess.Run("--ping", "--port", "0", "--unixsocket", garnet.EndPoint.ToString()!);
        Assert.Equal(1, run.ExitCode);
        Assert.StartsWith($"unix:{garnet.EndPoint}: MISCONF ", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', run.Output.TrimEnd());
    }

    [Fact]
    public void Nobody_there_gives_1()
    {
        using var taken = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        taken.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        var run = GarnetProcess.Run("--ping", "--port", $"{((IPEndPoint)taken.LocalEndPoint!).Port}");
        Assert.Equal(1, run.ExitCode);
        Assert.Equal($"{taken.LocalEndPoint}: Connection refused", run.Output.TrimEnd());
    }

    [Fact]
    public void A_wrong_option_is_told_as_everywhere()
    {
        var run = GarnetProcess.Run("--ping", "--port", "70000");
        Assert.Equal(1, run.ExitCode);
        Assert.StartsWith("garnet: --port 70000: argument must be between 0 and 65535 inclusive", run.Output, StringComparison.Ordinal);
    }
}
