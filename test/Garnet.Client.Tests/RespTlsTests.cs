// The clients under TLS, against a real server. Certificates and ports of each test's own.
using System.Net;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using Garnet.Testing;
using Xunit;

namespace Garnet.Client.Tests;

public sealed class RespTlsTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    [Theory]
    [InlineData("localhost", null)]
    [InlineData("127.0.0.1", null)]
    [InlineData("127.0.0.1", "localhost")]
    public async Task The_server_is_trusted_when_its_authority_and_its_name_are_right(string host, string? hostName)
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync();
        EndPoint endPoint = IPAddress.TryParse(host, out IPAddress? address)
            ? new IPEndPoint(address, server.EndPoint.Port)
            : new DnsEndPoint(host, server.EndPoint.Port);
        var tls = new RespTlsOptions { HostName = hostName, AuthorityFile = server.Certificates.AuthorityFile };
        await using RespMultiplexer shared = new(new RespMultiplexerOptions { EndPoint = endPoint, Tls = tls });
        Assert.Equal("OK", (await shared.CallAsync("SET", "k", new string('v', 100_000)).WaitAsync(Patience)).Text);
        await using RespClient own = await RespClient.ConnectAsync(endPoint, tls).WaitAsync(Patience);
        Assert.Equal(100_000, (await own.CallAsync("STRLEN", "k").WaitAsync(Patience)).Integer);
    }

    [Fact]
    public async Task Another_name_is_refused()
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync();
        string why = await RefusalAsync(
            server,
            new RespTlsOptions { HostName = "cache.example", AuthorityFile = server.Certificates.AuthorityFile }
        );
        Assert.StartsWith($"No connection to {server.EndPoint}: ", why, StringComparison.Ordinal);
        Assert.Contains("RemoteCertificateNameMismatch", why, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_unknown_authority_is_refused()
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync();
        using var others = new TestCertificates();
        Assert.Contains("certificate", await RefusalAsync(server, new RespTlsOptions()), StringComparison.Ordinal);
        Assert.Contains(
            "certificate",
            await RefusalAsync(server, new RespTlsOptions { AuthorityFile = others.AuthorityFile }),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_server_that_wants_a_certificate_is_shown_one_of_any_form()
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync(
            (options, certificates) =>
            {
                options.TlsAuthClients = ClientCertificates.Yes;
                options.TlsCaCertFile = certificates.AuthorityFile;
            }
        );
        TestCertificates files = server.Certificates;
        (string certFile, string keyFile) = files.WriteClient("somebody");
        string together = Path.Combine(files.Folder, "together.pem");
        File.WriteAllText(together, File.ReadAllText(certFile) + "\n" + File.ReadAllText(keyFile));
        string locked = Path.Combine(files.Folder, "locked.key"),
            pfx = Path.Combine(files.Folder, "client.pfx");
        using (var own = X509Certificate2.CreateFromPemFile(certFile, keyFile))
        {
            File.WriteAllText(
                locked,
                own.GetECDsaPrivateKey()!
                    .ExportEncryptedPkcs8PrivateKeyPem(
                        "secret",
                        new(
                            System.Security.Cryptography.PbeEncryptionAlgorithm.Aes256Cbc,
                            System.Security.Cryptography.HashAlgorithmName.SHA256,
                            1000
                        )
                    )
            );
            File.WriteAllBytes(pfx, own.Export(X509ContentType.Pkcs12, "secret"));
        }

        RespTlsOptions[] ways =
        [
            new() { CertificateFile = certFile, KeyFile = keyFile },
            new() { CertificateFile = together },
            new()
            {
                CertificateFile = certFile,
                KeyFile = locked,
                KeyPassword = "secret",
            },
            new() { PfxFile = pfx, KeyPassword = "secret" },
        ];
        foreach (RespTlsOptions way in ways)
        {
            way.AuthorityFile = files.AuthorityFile;
            await using RespMultiplexer client = new(new RespMultiplexerOptions { EndPoint = server.EndPoint, Tls = way });
            Assert.Equal("PONG", (await client.CallAsync("PING").WaitAsync(Patience)).Text);
        }

        await RefusalAsync(server, new RespTlsOptions { AuthorityFile = files.AuthorityFile });
        Assert.Contains(
            $"PfxFile '{pfx}' cannot be used: ",
            await RefusalAsync(server, new RespTlsOptions { PfxFile = pfx, KeyPassword = "wrong" }),
            StringComparison.Ordinal
        );
        Assert.Contains(
            $"CertificateFile '{keyFile}' cannot be used: ",
            await RefusalAsync(server, new RespTlsOptions { CertificateFile = keyFile }),
            StringComparison.Ordinal
        );
        Assert.Contains(
            $"CertificateFile '{certFile}' cannot be used: ",
            await RefusalAsync(server, new RespTlsOptions { CertificateFile = certFile, KeyFile = files.KeyFile }),
            StringComparison.Ordinal
        );
        Assert.Contains(
            $"AuthorityFile '{keyFile}' cannot be used: it holds no certificate",
            await RefusalAsync(server, new RespTlsOptions { AuthorityFile = keyFile }),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_replaced_authority_is_read_at_the_next_connection()
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync();
        using var others = new TestCertificates();
        string authority = Path.Combine(others.Folder, "trusted.pem");
        File.Copy(others.AuthorityFile, authority);
        await using RespMultiplexer client = new(
            new RespMultiplexerOptions
            {
                EndPoint = server.EndPoint,
                RetryDelay = TimeSpan.Zero,
                Tls = new RespTlsOptions { AuthorityFile = authority },
            }
        );
        await Assert.ThrowsAsync<RespConnectionException>(() => client.CallAsync("PING").WaitAsync(Patience));
        File.Copy(server.Certificates.AuthorityFile, authority, overwrite: true);
        Assert.Equal("PONG", (await client.CallAsync("PING").WaitAsync(Patience)).Text);
    }

    [Fact]
    public async Task The_application_has_the_last_word()
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync((options, _) => options.TlsProtocols = "TLSv1.3");
        int calls = 0;
        var tls = new RespTlsOptions
        {
            AuthorityFile = server.Certificates.AuthorityFile,
            Configure = settings =>
            {
                calls++;
                settings.EnabledSslProtocols = SslProtocols.Tls12;
            },
        };
        await Assert.ThrowsAnyAsync<Exception>(() => RespClient.ConnectAsync(server.EndPoint, tls).WaitAsync(Patience));
        Assert.Equal(1, calls);
    }

    [Fact]
    public void Wrong_options_are_reported_by_name()
    {
        EndPoint endPoint = new IPEndPoint(IPAddress.Loopback, 6379);
        Assert.Equal(
            [
                "HostName is empty; give the name in the server's certificate, or leave it out.",
                "CertificateFile and PfxFile exclude each other; set one.",
                "AuthorityFile is '/no/such'; there is no such file.",
                "CertificateFile is '/no/such'; there is no such file.",
                "PfxFile is '/no/such'; there is no such file.",
            ],
            new RespTlsOptions
            {
                HostName = "",
                AuthorityFile = "/no/such",
                CertificateFile = "/no/such",
                PfxFile = "/no/such",
            }.Problems()
        );
        Assert.Equal(
            ["KeyFile is set without CertificateFile.", "KeyPassword is set without CertificateFile or PfxFile."],
            new RespTlsOptions { KeyFile = typeof(RespTlsTests).Assembly.Location, KeyPassword = "" }.Problems()
        );
        ArgumentException error = Assert.Throws<ArgumentException>(() =>
            new RespMultiplexer(
                new RespMultiplexerOptions
                {
                    EndPoint = endPoint,
                    Tls = new RespTlsOptions { AuthorityFile = "/no/such" },
                }
            )
        );
        Assert.StartsWith("Tls.AuthorityFile is '/no/such'; there is no such file.", error.Message, StringComparison.Ordinal);
        error = Assert.Throws<ArgumentException>(() =>
            new RespMultiplexer(
                new RespMultiplexerOptions
                {
                    EndPoint = endPoint,
                    Tls = new RespTlsOptions(),
                    StreamFilter = (stream, _) => ValueTask.FromResult(stream),
                }
            )
        );
        Assert.StartsWith("Tls and StreamFilter exclude each other", error.Message, StringComparison.Ordinal);
        error = Assert.Throws<ArgumentException>(() =>
            new RespMultiplexer(new RespMultiplexerOptions { EndPoint = endPoint, ReplyTimeout = TimeSpan.Zero })
        );
        Assert.StartsWith("ReplyTimeout is 00:00:00; it must be more than zero.", error.Message, StringComparison.Ordinal);
    }

    // The text that a caller sees; with version 1.3 a client learns at its first read that its certificate was not liked.
    private static async Task<string> RefusalAsync(TlsTestServer server, RespTlsOptions tls)
    {
        await using RespMultiplexer client = new(new RespMultiplexerOptions { EndPoint = server.EndPoint, Tls = tls });
        return (await Assert.ThrowsAsync<RespConnectionException>(() => client.CallAsync("PING").WaitAsync(Patience))).Message;
    }
}
