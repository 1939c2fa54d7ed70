// `garnet --ping`, the command line's health check. Servers on Unix sockets and on ports chosen by the system.
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
        ClientProcess run = GarnetProcess.Run("--ping", "--port", "0", "--unixsocket", garnet.EndPoint.ToString()!);
        Assert.Equal(0, run.ExitCode);
        Assert.Equal($"unix:{garnet.EndPoint}: PONG", run.Output.TrimEnd());
    }

    [Fact]
    public void A_wildcard_address_is_pinged_on_this_machine()
    {
        using var server = TestServer.Start();
        ClientProcess run = GarnetProcess.Run("--ping", "--port", $"{server.EndPoint.Port}", "--bind", "*");
        Assert.Equal(0, run.ExitCode);
        Assert.Equal($"127.0.0.1:{server.EndPoint.Port}: PONG", run.Output.TrimEnd());
    }

    [Theory]
    [InlineData("secret", 0, "PONG")]
    [InlineData("", 1, "NOAUTH Authentication required. Give --requirepass, GARNET_REQUIREPASS, or the server's configuration file.")]
    [InlineData("wrong", 1, "WRONGPASS invalid username-password pair or user is disabled.")]
    public void The_password_comes_from_the_options(string password, int exitCode, string text)
    {
        using var server = TestServer.Start(options => options.Password = "secret");
        ClientProcess run = GarnetProcess.Run("--ping", "--port", $"{server.EndPoint.Port}", "--requirepass", password);
        Assert.Equal(exitCode, run.ExitCode);
        Assert.Equal($"127.0.0.1:{server.EndPoint.Port}: {text}", run.Output.TrimEnd());
    }

    [Fact]
    public void A_server_that_refuses_commands_gives_1()
    {
        using var garnet = GarnetProcess.Start("--save", "3600", "1000000");
        using (RespExchange client = garnet.Connect())
        {
            Directory.CreateDirectory(Path.Combine(garnet.Folder, "dump.rdb"));
            client.ExecuteText("SAVE");
        }
        ClientProcess run = GarnetProcess.Run("--ping", "--port", "0", "--unixsocket", garnet.EndPoint.ToString()!);
        Assert.Equal(1, run.ExitCode);
        Assert.StartsWith($"unix:{garnet.EndPoint}: MISCONF ", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', run.Output.TrimEnd());
    }

    [Fact]
    public void No_server_gives_1()
    {
        using var taken = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        taken.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        ClientProcess run = GarnetProcess.Run("--ping", "--port", $"{((IPEndPoint)taken.LocalEndPoint!).Port}");
        Assert.Equal(1, run.ExitCode);
        Assert.Equal($"{taken.LocalEndPoint}: Connection refused", run.Output.TrimEnd());
    }

    [Fact]
    public async Task Over_Tls_a_client_certificate_is_sent_and_the_password_only_to_the_expected_server()
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync(
            static (options, certificates) =>
            {
                options.TlsAuthClients = ClientCertificates.Yes;
                options.TlsCaCertFile = certificates.AuthorityFile;
                options.Password = "secret";
                // The server keeps its first certificate, however long the test takes.
                options.TlsAutoReloadInterval = TimeSpan.Zero;
            }
        );
        TestCertificates files = server.Certificates;
        (string certificate, string key) = files.WriteClient("probe");
        string[] options =
        [
            "--port",
            "0",
            "--tls-port",
            $"{server.EndPoint.Port}",
            "--bind",
            "127.0.0.1",
            "--tls-cert-file",
            files.CertFile,
            "--tls-key-file",
            files.KeyFile,
            "--tls-ca-cert-file",
            files.AuthorityFile,
            "--requirepass",
            "secret",
        ];
        AssertPing(0, "PONG", ["--ping", "--cert", certificate, "--key", key, .. options]);
        AssertPing(1, "asks for a client certificate: give --cert and --key, or a port or unixsocket without TLS", ["--ping", .. options]);
        files.WriteServer();
        AssertPing(
            1,
            "NOAUTH Authentication required. The password is not sent to a server that shows another certificate than the options name.",
            ["--ping", "--cert", certificate, "--key", key, .. options]
        );
        Assert.Equal(0, server.Server.FailedTlsHandshakes);

        void AssertPing(int exitCode, string text, string[] arguments)
        {
            ClientProcess run = GarnetProcess.Run(arguments);
            Assert.Equal($"{server.EndPoint}: {text}", run.Output.TrimEnd());
            Assert.Equal(exitCode, run.ExitCode);
        }
    }

    [Theory]
    [InlineData("--cert and --key belong together", "--cert", "a.pem")]
    [InlineData("--key needs a value", "--cert", "a.pem", "--key")]
    [InlineData("--cert /no/such.pem, --key /no/such.key: cannot be used: ", "--cert", "/no/such.pem", "--key", "/no/such.key")]
    public void A_wrong_client_certificate_is_one_line(string message, params string[] arguments)
    {
        ClientProcess run = GarnetProcess.Run(["--ping", .. arguments]);
        Assert.Equal(1, run.ExitCode);
        Assert.StartsWith($"garnet: {message}", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', run.Output.TrimEnd());
    }

    [Fact]
    public void A_wrong_option_is_reported_as_in_other_commands()
    {
        ClientProcess run = GarnetProcess.Run("--ping", "--port", "70000");
        Assert.Equal(1, run.ExitCode);
        Assert.StartsWith("garnet: --port 70000: argument must be between 0 and 65535 inclusive", run.Output, StringComparison.Ordinal);
    }
}
