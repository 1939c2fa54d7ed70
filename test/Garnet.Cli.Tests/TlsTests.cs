// TLS by options and URIs. Each test has its server and certificates.
using System.Globalization;
using Garnet.Cli.Tests.Support;
using Garnet.Testing;
using Xunit;

namespace Garnet.Cli.Tests;

public sealed class TlsTests
{
    [Fact]
    public async Task The_servers_certificate_is_checked_unless_told_otherwise()
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync();
        string port = server.EndPoint.Port.ToString(CultureInfo.InvariantCulture);
        string authority = server.Certificates.AuthorityFile;
        Assert.Equal("PONG\n", CliRun.Ours(["-p", port, "--tls", "--cacert", authority, "PING"]).Output);
        Assert.Equal("PONG\n", CliRun.Ours(["-u", $"rediss://localhost:{port}", "--cacert", authority, "PING"]).Output);
        Assert.Equal("PONG\n", CliRun.Ours(["-p", port, "--tls", "--insecure", "PING"]).Output);
        CliRun untrusted = Failed("-p", port, "--tls", "PING");
        Assert.Contains("(--cacert names the authorities to trust, --insecure trusts any)", untrusted.Error, StringComparison.Ordinal);
        Failed("-p", port, "--tls", "--cacert", authority, "--sni", "other.example", "PING");
    }

    [Fact]
    public async Task A_folder_of_authorities_and_a_list_of_suites_can_be_given()
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync();
        string port = server.EndPoint.Port.ToString(CultureInfo.InvariantCulture);
        string folder = Directory.CreateTempSubdirectory("garnet-authorities-").FullName;
        try
        {
            File.Copy(server.Certificates.AuthorityFile, Path.Combine(folder, "one.pem"));
            string[] arguments = ["-p", port, "--tls", "--cacertdir", folder, "--tls-ciphersuites", "TLS_AES_128_GCM_SHA256", "PING"];
            Assert.Equal("PONG\n", CliRun.Ours(arguments).Output);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public async Task A_client_certificate_is_presented_where_one_is_required()
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync(
            static (options, certificates) =>
            {
                options.TlsAuthClients = ClientCertificates.Yes;
                options.TlsCaCertFile = certificates.AuthorityFile;
            }
        );
        string port = server.EndPoint.Port.ToString(CultureInfo.InvariantCulture);
        (string certificate, string key) = server.Certificates.WriteClient("client");
        string[] arguments = ["-p", port, "--tls", "--cacert", server.Certificates.AuthorityFile];
        Assert.Equal("PONG\n", CliRun.Ours([.. arguments, "--cert", certificate, "--key", key, "PING"]).Output);
        Failed([.. arguments, "PING"]);
    }

    [Fact]
    public async Task Without_tls_a_server_with_tls_is_an_error_and_one_that_does_not_answer_is_given_up()
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync();
        Failed("-p", server.EndPoint.Port.ToString(CultureInfo.InvariantCulture), "PING");
        using var silent = new ScriptedServer(static _ => []);
        // The time also covers connecting, which succeeds, however busy the machine is.
        CliRun late = Failed("-p", silent.Port, "-t", "3", "--tls", "--insecure", "PING");
        Assert.Equal("Could not negotiate a TLS connection: no answer within 3 s (-t); is TLS on at this port?\n", late.Error);
    }

    private static CliRun Failed(params string[] arguments)
    {
        var run = CliRun.Ours(arguments);
        Assert.Equal((1, ""), (run.ExitCode, run.Output));
        Assert.Equal(1, run.Error.Count(static each => each == '\n'));
        return run;
    }
}
