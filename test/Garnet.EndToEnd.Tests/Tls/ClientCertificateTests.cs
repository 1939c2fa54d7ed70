// Client certificates: required, optional or not requested, and the users they name. Each test has its own server.
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Tls;

public sealed class ClientCertificateTests
{
    [Fact]
    public async Task Required_certificates_admit_only_clients_with_a_valid_one()
    {
        await using TlsTestServer server = await StartAsync(ClientCertificates.Yes);
        using var others = new TestCertificates();
        using (TlsClient client = server.Connect(server.Certificates.MakeClient("someone")))
            Assert.Equal("+PONG", client.Execute("PING"));
        AssertRefused(server, own: null);
        AssertRefused(server, server.Certificates.MakeClient("late", validToDays: -1));
        AssertRefused(server, others.MakeClient("stranger"));
    }

    [Fact]
    public async Task The_log_says_why_a_client_was_rejected_and_ignores_port_scans()
    {
        var loggers = new RecordingLoggers();
        await using TlsTestServer server = await StartAsync(ClientCertificates.Yes, loggers);
        using (var looker = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp))
            looker.Connect(server.EndPoint);
        AssertRefused(server, own: null);
        FaultTarget.Await(() => HasLogged("the client sent no certificate (tls-auth-clients yes)"), () => string.Join('\n', loggers.Lines));
        Assert.DoesNotContain(loggers.Lines, static line => line.Contains("(null)", StringComparison.Ordinal));
        FaultTarget.Await(() => server.Server.FailedTlsHandshakes == 1, () => $"{server.Server.FailedTlsHandshakes} failed");

        // At most one message a second, so as not to fill the log: the client tries again until it is told.
        X509Certificate2 late = server.Certificates.MakeClient("late", validToDays: -1);
        FaultTarget.Await(
            () =>
            {
                AssertRefused(server, late);
                return HasLogged("the client's certificate was refused: ");
            },
            () => string.Join('\n', loggers.Lines)
        );

        bool HasLogged(string text) => loggers.Lines.Any(line => line.Contains(text, StringComparison.Ordinal));
    }

    [Fact]
    public async Task Optional_certificates_may_be_missing_but_not_invalid()
    {
        await using TlsTestServer server = await StartAsync(ClientCertificates.Optional);
        using var others = new TestCertificates();
        using (TlsClient client = server.Connect(server.Certificates.MakeClient("someone")))
            Assert.Equal("+PONG", client.Execute("PING"));
        using (TlsClient client = server.Connect())
            Assert.Equal("+PONG", client.Execute("PING"));
        AssertRefused(server, others.MakeClient("stranger"));
    }

    [Fact]
    public async Task Client_certificate_requirements_can_change_at_run_time()
    {
        await using TlsTestServer server = await StartAsync(ClientCertificates.No);
        using TlsClient first = server.Connect();
        Assert.Equal("+OK", first.Execute("CONFIG", "SET", "tls-auth-clients", "yes"));
        AssertRefused(server, own: null);
        Assert.Equal("+PONG", first.Execute("PING"));
        Assert.StartsWith(
            "-ERR CONFIG SET failed (possibly related to argument 'tls-ca-cert-file') - tls-auth-clients: client certificates need an authority",
            first.Execute("CONFIG", "SET", "tls-ca-cert-file", ""),
            StringComparison.Ordinal
        );
        Assert.Equal("+OK", first.Execute("CONFIG", "SET", "tls-auth-clients", "no"));
        using TlsClient second = server.Connect();
        Assert.Equal("+PONG", second.Execute("PING"));
    }

    [Fact]
    public async Task A_folder_of_authorities_serves_as_well()
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync(
            (options, certificates) =>
            {
                string folder = Directory.CreateDirectory(Path.Combine(certificates.Folder, "authorities")).FullName;
                File.Copy(certificates.AuthorityFile, Path.Combine(folder, "any-name.pem"));
                File.WriteAllText(Path.Combine(folder, "README"), "no certificate");
                options.TlsAuthClients = ClientCertificates.Yes;
                options.TlsCaCertDir = folder;
            }
        );
        using TlsClient client = server.Connect(server.Certificates.MakeClient("someone"));
        Assert.Equal("+PONG", client.Execute("PING"));
        AssertRefused(server, own: null);
    }

    [Theory]
    [InlineData(CertificateField.CommonName, "default", null, true)]
    [InlineData(CertificateField.CommonName, "someone", "default", false)]
    [InlineData(CertificateField.Uri, "someone", "default", true)]
    [InlineData(CertificateField.Uri, "default", "urn:user:default", false)]
    [InlineData(CertificateField.Uri, "default", null, false)]
    [InlineData(CertificateField.Off, "default", null, false)]
    public async Task A_certificate_that_names_the_default_user_logs_it_in(CertificateField field, string name, string? uri, bool expected)
    {
        var loggers = new RecordingLoggers();
        await using TlsTestServer server = await StartAsync(
            ClientCertificates.Yes,
            loggers,
            options =>
            {
                options.Password = "secret";
                options.TlsAuthClientsUser = field;
            }
        );
        using TlsClient client = server.Connect(server.Certificates.MakeClient(name, uri));
        Assert.Equal(expected ? "+PONG" : "-NOAUTH Authentication required.", client.Execute("PING"));
        bool notifies = loggers.Lines.Any(static line =>
            line.Contains("its certificate names no user of this server", StringComparison.Ordinal)
        );
        Assert.Equal(!expected && field != CertificateField.Off, notifies);
        Assert.Equal("+OK", client.Execute("AUTH", "secret"));
    }

    private static Task<TlsTestServer> StartAsync(
        ClientCertificates clients,
        RecordingLoggers? loggers = null,
        Action<GarnetOptions>? configure = null
    ) =>
        TlsTestServer.StartAsync(
            (options, certificates) =>
            {
                options.TlsAuthClients = clients;
                options.TlsCaCertFile = certificates.AuthorityFile;
                configure?.Invoke(options);
            },
            loggers
        );

    // In TLS 1.3 a client learns of its rejection only when it next reads.
    private static void AssertRefused(TlsTestServer server, X509Certificate2? own) =>
        Assert.ThrowsAny<Exception>(() =>
        {
            using TlsClient client = server.Connect(own);
            client.Execute("PING");
        });
}
