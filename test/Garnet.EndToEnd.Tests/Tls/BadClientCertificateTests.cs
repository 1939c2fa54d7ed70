// Bad client certificates: each is rejected, or names no user; none disturbs the server. Each test has its own server.
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Tls;

public sealed class BadClientCertificateTests
{
    private const string ServerPurpose = "1.3.6.1.5.5.7.3.1";
    private const string ClientPurpose = "1.3.6.1.5.5.7.3.2";
    private const string AlternativeName = "2.5.29.17";

    private readonly ECDsa _key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
    private readonly RecordingLoggers _loggers = new();

    [Theory]
    [InlineData("signed by itself")]
    [InlineData("expired")]
    [InlineData("not valid yet")]
    [InlineData("for servers only")]
    [InlineData("signed by an authority of the same name")]
    [InlineData("signed by a client")]
    [InlineData("larger than a handshake may be")]
    public async Task Refused(string kind)
    {
        await using TlsTestServer server = await StartAsync(CertificateField.CommonName);
        X509Certificate2 certificate = Make(kind, server.Certificates);
        Assert.ThrowsAny<Exception>(() =>
        {
            using TlsClient client = server.Connect(certificate);
            client.Execute("PING");
        });
        AssertUndisturbed(server);
    }

    [Theory]
    [InlineData("Y29uZmln", CertificateField.CommonName)] // an octet string whose content is not a name
    [InlineData("MAo=", CertificateField.Uri)] // a sequence longer than what follows
    [InlineData("MAKGAA==", CertificateField.Uri)] // an empty URI
    [InlineData("MAOGAf8=", CertificateField.Uri)] // a URI that is not ASCII
    [InlineData("MAOGgQA=", CertificateField.Uri)] // a length not encoded in its shortest form
    [InlineData("", CertificateField.Uri)]
    [InlineData("BQA=", CertificateField.Uri)] // NULL
    [InlineData("MICGAAAA", CertificateField.Uri)] // an indefinite length
    public async Task Undecodable_names_are_not_users(string alternativeName, CertificateField field)
    {
        await using TlsTestServer server = await StartAsync(field);
        CertificateRequest request = Request("CN=someone", ClientPurpose);
        request.CertificateExtensions.Add(new X509Extension(AlternativeName, Convert.FromBase64String(alternativeName), critical: false));
        AssertNoUser(server, server.Certificates.Sign(request, _key));
    }

    [Theory]
    [InlineData("default\0.example")]
    [InlineData("default\n1:M 01 Jan 2026 00:00:00.000 # forged")]
    [InlineData("DEFAULT")]
    [InlineData(" default")]
    [InlineData("")]
    public async Task A_name_that_only_looks_like_a_user_is_not_one(string name)
    {
        await using TlsTestServer server = await StartAsync(CertificateField.CommonName);
        var subject = new X500DistinguishedNameBuilder();
        subject.Add("2.5.4.3", name, System.Formats.Asn1.UniversalTagNumber.UTF8String);
        AssertNoUser(server, server.Certificates.Sign(Request(subject.Build(), ClientPurpose), _key));
    }

    // Creates a certificate that is valid except for one defect.
    private X509Certificate2 Make(string kind, TestCertificates certificates)
    {
        CertificateRequest request = Request("CN=default", kind == "for servers only" ? ServerPurpose : ClientPurpose);
        DateTimeOffset now = DateTimeOffset.UtcNow;
        using var other = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        switch (kind)
        {
            case "signed by itself":
                return TestCertificates.Sign(request, _key, request.SubjectName, _key, now.AddDays(-1), now.AddDays(1));
            case "expired":
                return certificates.Sign(request, _key, -20, -1);
            case "not valid yet":
                return certificates.Sign(request, _key, 1, 20);
            case "signed by an authority of the same name":
                return TestCertificates.Sign(request, _key, certificates.Authority.SubjectName, other, now.AddDays(-1), now.AddDays(1));
            case "signed by a client":
                X509Certificate2 client = certificates.MakeClient("someone");
                return TestCertificates.Sign(
                    request,
                    _key,
                    client.SubjectName,
                    client.GetECDsaPrivateKey()!,
                    now.AddDays(-1),
                    now.AddDays(1)
                );
            case "larger than a handshake may be":
                request.CertificateExtensions.Add(new X509Extension("1.2.3.4", new byte[1 << 20], critical: false));
                return certificates.Sign(request, _key);
            default:
                return certificates.Sign(request, _key);
        }
    }

    private CertificateRequest Request(string subject, string purpose) => Request(new X500DistinguishedName(subject), purpose);

    private CertificateRequest Request(X500DistinguishedName subject, string purpose)
    {
        var request = new CertificateRequest(subject, _key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid(purpose)], critical: false));
        return request;
    }

    private Task<TlsTestServer> StartAsync(CertificateField field) =>
        TlsTestServer.StartAsync(
            (options, certificates) =>
            {
                options.TlsAuthClients = ClientCertificates.Yes;
                options.TlsCaCertFile = certificates.AuthorityFile;
                options.Password = "secret";
                options.TlsAuthClientsUser = field;
            },
            _loggers
        );

    // TLS may reject it; if it does not, the client must log in.
    private void AssertNoUser(TlsTestServer server, X509Certificate2 certificate)
    {
        try
        {
            using TlsClient client = server.Connect(certificate);
            Assert.Equal("-NOAUTH Authentication required.", client.Execute("PING"));
        }
        catch (Exception refused) when (refused is IOException or System.Security.Authentication.AuthenticationException) { }

        AssertUndisturbed(server);
    }

    private void AssertUndisturbed(TlsTestServer server)
    {
        using TlsClient client = server.Connect(server.Certificates.MakeClient("default"));
        Assert.StartsWith("OK", client.Execute("AUTH", "secret")[1..], StringComparison.Ordinal);
        Assert.DoesNotContain(_loggers.Lines, static line => line.Contains("nhandled exception", StringComparison.Ordinal));
    }
}
