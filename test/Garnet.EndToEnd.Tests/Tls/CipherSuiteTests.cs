// tls-ciphers and tls-ciphersuites: which suite a connection negotiates, and invalid names. Linux only, because the client's list needs
// OpenSSL too. Each test has its own server.
using System.Net.Security;
using System.Runtime.Versioning;
using System.Security.Authentication;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Tls;

[SupportedOSPlatform("linux")]
public sealed class CipherSuiteTests
{
    private const TlsCipherSuite Aes128 = TlsCipherSuite.TLS_AES_128_GCM_SHA256;
    private const TlsCipherSuite ChaCha = TlsCipherSuite.TLS_CHACHA20_POLY1305_SHA256;

    [Fact]
    public async Task The_servers_first_suite_of_Tls_1_3_that_a_client_knows_is_used()
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync(
            (options, _) => options.TlsCipherSuites = "TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256"
        );
        using (TlsClient any = server.Connect())
            Assert.Equal((SslProtocols.Tls13, ChaCha), (any.Stream.SslProtocol, any.Stream.NegotiatedCipherSuite));
        using (TlsClient one = Connect(server, SslProtocols.Tls13, Aes128))
            Assert.Equal(Aes128, one.Stream.NegotiatedCipherSuite);
        // The other version has its own list, which this one does not restrict.
        using TlsClient older = server.Connect(protocols: SslProtocols.Tls12);
        Assert.Equal("+PONG", older.Execute("PING"));
    }

    [Fact]
    public async Task The_servers_suites_of_Tls_1_2_leave_those_of_1_3_as_they_are()
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync(
            (options, _) => options.TlsCiphers = "ECDHE-ECDSA-AES128-GCM-SHA256, TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"
        );
        using (TlsClient older = server.Connect(protocols: SslProtocols.Tls12))
            Assert.Equal(TlsCipherSuite.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, older.Stream.NegotiatedCipherSuite);
        using TlsClient newer = server.Connect();
        Assert.Equal(SslProtocols.Tls13, newer.Stream.SslProtocol);
    }

    [Fact]
    public async Task A_client_without_a_common_suite_is_rejected_and_others_continue()
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync(
            (options, _) => options.TlsCipherSuites = "TLS_AES_256_GCM_SHA384"
        );
        using TlsClient before = server.Connect();
        Assert.ThrowsAny<Exception>(() => Connect(server, SslProtocols.Tls13, Aes128));
        Assert.Equal("+OK", before.Execute("CONFIG", "SET", "tls-ciphersuites", "TLS_AES_128_GCM_SHA256"));
        using TlsClient after = Connect(server, SslProtocols.Tls13, Aes128);
        Assert.Equal("+PONG", after.Execute("PING"));
        Assert.Equal("+PONG", before.Execute("PING"));
    }

    [Theory]
    [InlineData(
        "tls-ciphers",
        "DEFAULT:!MEDIUM",
        "tls-ciphers DEFAULT: not the name of a cipher suite (allowed, joined by ':': ECDHE-ECDSA-AES256-GCM-SHA384, "
    )]
    [InlineData("tls-ciphers", "TLS_RSA_WITH_NULL_SHA", "tls-ciphers TLS_RSA_WITH_NULL_SHA: not the name of a cipher suite")]
    [InlineData(
        "tls-ciphersuites",
        "ECDHE-RSA-AES256-GCM-SHA384",
        "tls-ciphersuites ECDHE-RSA-AES256-GCM-SHA384: not the name of a cipher suite (allowed, joined by ':': TLS_AES_256_GCM_SHA384, "
    )]
    public async Task An_unknown_suite_is_rejected_by_name(string option, string value, string problem)
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync();
        using TlsClient client = server.Connect();
        Assert.StartsWith(
            $"-ERR CONFIG SET failed (possibly related to argument '{option}') - {problem}",
            client.Execute("CONFIG", "SET", option, value),
            StringComparison.Ordinal
        );
    }

    private static TlsClient Connect(TlsTestServer server, SslProtocols protocol, params TlsCipherSuite[] suites) =>
        TlsClient.Connect(server.EndPoint, server.Certificates.Authority, own: null, protocol, new CipherSuitesPolicy(suites));
}
