// Every kind of handshake that must fail, on both transports: it is told in one line that says why, it counts as failed, and clients that
// come during it and after it are served. Each test has a server of its own.
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Tls;

public sealed class RefusedHandshakeTests : IDisposable
{
    // Clients that are served must shake hands within it too, on a busy machine.
    private const int TimeoutMs = 5000;
    private const string ServerPurpose = "1.3.6.1.5.5.7.3.1";
    private const string ClientPurpose = "1.3.6.1.5.5.7.3.2";

    private readonly ECDsa _key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
    private readonly RecordingLoggers _loggers = new();

    /// <summary>What the client shows, and what the log says of it.</summary>
    public static TheoryData<string, string, TransportKind> Certificates
    {
        get
        {
            (string Kind, string Reason)[] all =
            [
                ("none", "the client sent no certificate (tls-auth-clients yes)"),
                ("expired", "the client's certificate was refused: certificate has expired"),
                ("not valid yet", "the client's certificate was refused: certificate is not yet valid"),
                ("signed by another authority", "the client's certificate was refused: unable to get local issuer certificate"),
                ("signed by itself", "the client's certificate was refused: self-signed certificate"),
                ("for servers only", "the client's certificate was refused: "),
                ("signed by a certificate that may not sign", "the client's certificate was refused: "),
                ("with the longest chain that can be sent", ""),
                ("with a megabyte of unrelated certificates", ""),
            ];
            var data = new TheoryData<string, string, TransportKind>();
            foreach ((string kind, string reason) in all)
            {
                data.Add(kind, reason, TransportKind.Epoll);
                data.Add(kind, reason, TransportKind.Sockets);
            }

            return data;
        }
    }

    /// <summary>What comes instead of a handshake, and what the log says of it.</summary>
    public static TheoryData<string, string, TransportKind> Bytes
    {
        get
        {
            (string Kind, string Reason)[] all =
            [
                ("PING\r\n", "it does not speak TLS, and this port does"),
                ("*1\r\n$4\r\nPING\r\n", "it does not speak TLS, and this port does"),
                ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", "it does not speak TLS, and this port does"),
                ("\0\0\0\0\0\0\0\0\0\0", "it does not speak TLS, and this port does"),
                // A handshake record whose content is no ClientHello; of no length; longer than a record may be; an alert.
                ("\u0016\u0003\u0001\0\u0008garbage!", "closed: "),
                ("\u0016\u0003\u0001\0\0\u0016\u0003\u0001\0\0", "closed: "),
                ("\u0016\u0003\u0001\u00ff\u00ff", "closed: "),
                ("\u0015\u0003\u0003\0\u0002\u0002\u0028", "closed: "),
                // A ClientHello that announces 16 MB.
                ("\u0016\u0003\u0001\0\u0006\u0001\u00ff\u00ff\u00ff\u0003\u0003", "closed: "),
            ];
            var data = new TheoryData<string, string, TransportKind>();
            foreach ((string kind, string reason) in all)
            {
                data.Add(kind, reason, TransportKind.Epoll);
                data.Add(kind, reason, TransportKind.Sockets);
            }

            return data;
        }
    }

    public void Dispose() => _key.Dispose();

    [Theory]
    [MemberData(nameof(Certificates))]
    public async Task A_certificate_that_is_not_valid(string kind, string reason, TransportKind transport)
    {
        await using TlsTestServer server = await StartAsync(transport, timeoutMs: 30_000);
        using TlsClient before = server.Connect(server.Certificates.MakeClient("before"));
        SslStreamCertificateContext? shown = Make(kind, server.Certificates);
        Assert.ThrowsAny<Exception>(() => Shake(server, shown));
        AssertRefusedOnce(server, reason);
        AssertServed(server, before);
    }

    [Theory]
    [MemberData(nameof(Bytes))]
    public async Task Bytes_that_are_no_handshake(string bytes, string reason, TransportKind transport)
    {
        await using TlsTestServer server = await StartAsync(transport, TimeoutMs);
        using TlsClient before = server.Connect(server.Certificates.MakeClient("before"));
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(server.EndPoint);
        await socket.SendAsync(System.Text.Encoding.Latin1.GetBytes(bytes));
        AssertRefusedOnce(server, reason);
        AssertServed(server, before);
    }

    [Theory]
    [InlineData(TransportKind.Epoll)]
    [InlineData(TransportKind.Sockets)]
    public async Task Handshakes_that_stall(TransportKind transport)
    {
        const int Stalled = 200;
        await using TlsTestServer server = await StartAsync(transport, TimeoutMs);
        using TlsClient before = server.Connect(server.Certificates.MakeClient("before"));
        var sockets = new List<Socket>();
        try
        {
            for (int i = 0; i < Stalled; i++)
            {
                var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
                sockets.Add(socket);
                await socket.ConnectAsync(server.EndPoint);
                // Nothing, half a header, half a ClientHello.
                await socket.SendAsync("\u0016\u0003\u0001\u0002\u0000\u0001\u0000"u8[..(i % 8)].ToArray());
            }

            AssertServed(server, before);
            FaultTarget.Await(() => server.Server.FailedTlsHandshakes == Stalled, () => $"{server.Server.FailedTlsHandshakes} ended");
            AssertServed(server, before);
        }
        finally
        {
            sockets.ForEach(static socket => socket.Dispose());
        }

        string[] lines = [.. _loggers.Lines.Where(static line => line.Contains("closed: ", StringComparison.Ordinal))];
        Assert.NotEmpty(lines);
        Assert.All(
            lines,
            static line => Assert.Contains($"took longer than tls-handshake-timeout-ms {TimeoutMs}", line, StringComparison.Ordinal)
        );
        // At most one a second, and those left out are counted.
        Assert.True(lines.Length < Stalled / 4, $"{lines.Length} lines");
    }

    [Fact]
    public async Task Many_refused_clients_are_logged_in_a_few_lines_that_count_the_others()
    {
        const int Refused = 50;
        await using TlsTestServer server = await StartAsync(TransportKind.Sockets, timeoutMs: 30_000);
        using TlsClient before = server.Connect(server.Certificates.MakeClient("before"));
        for (int i = 0; i < Refused; i++)
            Assert.ThrowsAny<Exception>(() => Shake(server, shown: null));
        FaultTarget.Await(() => server.Server.FailedTlsHandshakes == Refused, () => $"{server.Server.FailedTlsHandshakes} failed");
        int told = _loggers.Lines.Count(static line => line.Contains("the client sent no certificate", StringComparison.Ordinal));
        Assert.InRange(told, 1, Refused - 1);
        AssertServed(server, before);
    }

    private static void Shake(TlsTestServer server, SslStreamCertificateContext? shown)
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
        {
            ReceiveTimeout = 30_000,
            SendTimeout = 30_000,
        };
        socket.Connect(server.EndPoint);
        using var stream = new SslStream(new NetworkStream(socket));
        stream.AuthenticateAsClient(
            new SslClientAuthenticationOptions
            {
                TargetHost = "localhost",
                RemoteCertificateValidationCallback = static (_, _, _, _) => true,
                ClientCertificateContext = shown,
            }
        );
        stream.Write("PING\r\n"u8);
        // In TLS 1.3 a client learns of its refusal only when it next reads.
        if (stream.ReadByte() < 0)
            throw new EndOfStreamException();
    }

    private Task<TlsTestServer> StartAsync(TransportKind transport, int timeoutMs) =>
        TlsTestServer.StartAsync(
            (options, certificates) =>
            {
                options.Transport = transport;
                options.TlsAuthClients = ClientCertificates.Yes;
                options.TlsCaCertFile = certificates.AuthorityFile;
                options.TlsHandshakeTimeoutMs = timeoutMs;
            },
            _loggers
        );

    private void AssertRefusedOnce(TlsTestServer server, string reason)
    {
        FaultTarget.Await(() => server.Server.FailedTlsHandshakes == 1, () => string.Join('\n', _loggers.Lines));
        FaultTarget.Await(() => Refusals().Length > 0, () => string.Join('\n', _loggers.Lines));
        Assert.Contains(reason, Assert.Single(Refusals()), StringComparison.Ordinal);

        string[] Refusals() => [.. _loggers.Lines.Where(static line => line.Contains("closed: ", StringComparison.Ordinal))];
    }

    private void AssertServed(TlsTestServer server, TlsClient before)
    {
        Assert.Equal("+PONG", before.Execute("PING"));
        using TlsClient after = server.Connect(server.Certificates.MakeClient("after"));
        Assert.Equal("+PONG", after.Execute("PING"));
        Assert.DoesNotContain(_loggers.Lines, static line => line.Contains("nhandled exception", StringComparison.Ordinal));
    }

    private SslStreamCertificateContext? Make(string kind, TestCertificates certificates)
    {
        if (kind == "none")
            return null;
        var chain = new X509Certificate2Collection();
        X509Certificate2 made = kind switch
        {
            "expired" => certificates.Sign(Request(ClientPurpose), _key, -20, -1),
            "not valid yet" => certificates.Sign(Request(ClientPurpose), _key, 1, 20),
            "for servers only" => certificates.Sign(Request(ServerPurpose), _key),
            "signed by itself" => Issue(new X500DistinguishedName("CN=client"), _key),
            "signed by another authority" => Issue(new X500DistinguishedName("CN=Another authority"), NewKey()),
            "signed by a certificate that may not sign" => Chained(certificates, chain, intermediates: 1, mayIntermediatesSign: false),
            "with the longest chain that can be sent" => Chained(certificates, chain, intermediates: 120, mayIntermediatesSign: true),
            _ => Unrelated(chain),
        };
        while (true)
        {
            try
            {
                return SslStreamCertificateContext.Create(made, chain, offline: true);
            }
            catch (CryptographicException)
            {
                // Longer than the client's own library takes; the server's chain is longer by the authority.
                chain.RemoveAt(0);
            }
        }
    }

    private X509Certificate2 Chained(
        TestCertificates certificates,
        X509Certificate2Collection chain,
        int intermediates,
        bool mayIntermediatesSign
    )
    {
        X509Certificate2? issuer = null;
        ECDsa? issuerKey = null;
        for (int i = 0; i < intermediates; i++)
        {
            ECDsa key = NewKey();
            var request = new CertificateRequest($"CN=intermediate {i}", key, HashAlgorithmName.SHA256);
            request.CertificateExtensions.Add(new X509BasicConstraintsExtension(mayIntermediatesSign, false, 0, critical: true));
            issuer = issuer is null ? certificates.Sign(request, key) : Issue(request, key, issuer.SubjectName, issuerKey!);
            issuerKey = key;
            chain.Add(issuer);
        }

        return Issue(Request(ClientPurpose), _key, issuer!.SubjectName, issuerKey!);
    }

    private X509Certificate2 Unrelated(X509Certificate2Collection chain)
    {
        var request = new CertificateRequest("CN=unrelated", _key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509Extension("1.2.3.4", new byte[50_000], critical: false));
        for (int i = 0; i < 20; i++)
            chain.Add(Issue(request, _key, new X500DistinguishedName($"CN=somebody {i}"), _key));
        return Issue(new X500DistinguishedName("CN=Another authority"), _key);
    }

    private X509Certificate2 Issue(X500DistinguishedName issuer, ECDsa issuerKey) => Issue(Request(ClientPurpose), _key, issuer, issuerKey);

    private static X509Certificate2 Issue(CertificateRequest request, ECDsa key, X500DistinguishedName issuer, ECDsa issuerKey) =>
        TestCertificates.Sign(request, key, issuer, issuerKey, DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(30));

    private CertificateRequest Request(string purpose)
    {
        var request = new CertificateRequest("CN=client", _key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid(purpose)], critical: false));
        return request;
    }

    private static ECDsa NewKey() => ECDsa.Create(ECCurve.NamedCurves.nistP256);
}
