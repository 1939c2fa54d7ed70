// Certificates for tests: an authority and certificates signed by it, created for each test in a temporary folder. One owner, which
// disposes of it.
using System.Formats.Asn1;
using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Garnet.Testing;

/// <summary>Writes PEM and PKCS #12 files.</summary>
internal sealed class TestCertificates : IDisposable
{
    private const string ServerPurpose = "1.3.6.1.5.5.7.3.1";
    private const string ClientPurpose = "1.3.6.1.5.5.7.3.2";

    private readonly ECDsa _authorityKey = ECDsa.Create(ECCurve.NamedCurves.nistP256);
    private readonly X509Certificate2 _authority;

    /// <summary>Creates the authority, and the server's certificate in <see cref="CertFile"/> and <see cref="KeyFile"/>.</summary>
    public TestCertificates()
    {
        var request = new CertificateRequest("CN=Authority of a test", _authorityKey, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(
            new X509BasicConstraintsExtension(certificateAuthority: true, hasPathLengthConstraint: false, 0, critical: true)
        );
        _authority = request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-2000), DateTimeOffset.UtcNow.AddDays(3650));
        File.WriteAllText(AuthorityFile, _authority.ExportCertificatePem());
        WriteServer();
    }

    /// <summary>The folder of the files; removed on disposal.</summary>
    public string Folder { get; } = Directory.CreateTempSubdirectory("garnet-certificates-").FullName;

    /// <summary>The authority's certificate.</summary>
    public string AuthorityFile => Path.Combine(Folder, "ca.pem");

    /// <summary>The server's certificate.</summary>
    public string CertFile => Path.Combine(Folder, "server.pem");

    /// <summary>The server's private key.</summary>
    public string KeyFile => Path.Combine(Folder, "server.key");

    /// <summary>The authority's certificate.</summary>
    public X509Certificate2 Authority => _authority;

    /// <summary>Creates a new certificate for the server, replacing the previous one.</summary>
    /// <returns>Its serial number.</returns>
    public string WriteServer(int validFromDays = -1, int validToDays = 365, bool rsa = false)
    {
        using X509Certificate2 made = Make("CN=localhost", ServerPurpose, validFromDays, validToDays, rsa, uri: null);
        Replace(CertFile, made.ExportCertificatePem());
        Replace(KeyFile, KeyOf(made).ExportPkcs8PrivateKeyPem());
        return made.SerialNumber;
    }

    /// <summary>Encrypts the server's key file with a password.</summary>
    public void EncryptKey(string password)
    {
        using var made = X509Certificate2.CreateFromPemFile(CertFile, KeyFile);
        var parameters = new PbeParameters(PbeEncryptionAlgorithm.Aes256Cbc, HashAlgorithmName.SHA256, 10_000);
        Replace(KeyFile, KeyOf(made).ExportEncryptedPkcs8PrivateKeyPem(password, parameters));
    }

    /// <summary>Writes the server's certificate and key to one PKCS #12 file.</summary>
    public string WritePfx(string password)
    {
        string path = Path.Combine(Folder, "server.pfx");
        using var made = X509Certificate2.CreateFromPemFile(CertFile, KeyFile);
        File.WriteAllBytes(path, made.Export(X509ContentType.Pkcs12, password));
        return path;
    }

    /// <summary>Creates a client certificate with its key, signed by the authority.</summary>
    public X509Certificate2 MakeClient(string name, string? uri = null, int validToDays = 365) =>
        Make($"CN={name}", ClientPurpose, -1000, validToDays, rsa: false, uri);

    /// <summary>Writes a client certificate and its key to files.</summary>
    public (string CertFile, string KeyFile) WriteClient(string name)
    {
        using X509Certificate2 made = MakeClient(name);
        string path = Path.Combine(Folder, name);
        File.WriteAllText(path + ".pem", made.ExportCertificatePem());
        File.WriteAllText(path + ".key", KeyOf(made).ExportPkcs8PrivateKeyPem());
        return (path + ".pem", path + ".key");
    }

    /// <summary>Signs a request with the authority's key, and attaches the private key.</summary>
    public X509Certificate2 Sign(CertificateRequest request, ECDsa key, int validFromDays = -1, int validToDays = 365)
    {
        DateTimeOffset now = DateTimeOffset.UtcNow;
        return Sign(request, key, _authority.SubjectName, _authorityKey, now.AddDays(validFromDays), now.AddDays(validToDays));
    }

    /// <summary>Signs a request in the name of an issuer, with any key.</summary>
    public static X509Certificate2 Sign(
        CertificateRequest request,
        ECDsa key,
        X500DistinguishedName issuer,
        ECDsa issuerKey,
        DateTimeOffset from,
        DateTimeOffset to
    )
    {
        using X509Certificate2 made = request.Create(
            issuer,
            X509SignatureGenerator.CreateForECDsa(issuerKey),
            from,
            to,
            RandomNumberGenerator.GetBytes(12)
        );
        using X509Certificate2 whole = made.CopyWithPrivateKey(key);
        return X509CertificateLoader.LoadPkcs12(whole.Export(X509ContentType.Pkcs12), password: null, X509KeyStorageFlags.Exportable);
    }

    /// <summary>Removes the files.</summary>
    public void Dispose()
    {
        _authority.Dispose();
        _authorityKey.Dispose();
        Directory.Delete(Folder, recursive: true);
    }

    private X509Certificate2 Make(string subject, string purpose, int validFromDays, int validToDays, bool rsa, string? uri)
    {
        using AsymmetricAlgorithm key = rsa ? RSA.Create(2048) : ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var name = new X500DistinguishedName(subject);
        CertificateRequest request = key is RSA rsaKey
            ? new CertificateRequest(name, rsaKey, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1)
            : new CertificateRequest(name, (ECDsa)key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid(purpose)], critical: false));
        request.CertificateExtensions.Add(Names(uri));
        DateTimeOffset now = DateTimeOffset.UtcNow;
        using X509Certificate2 made = request.Create(
            _authority.SubjectName,
            X509SignatureGenerator.CreateForECDsa(_authorityKey),
            now.AddDays(validFromDays),
            now.AddDays(validToDays),
            RandomNumberGenerator.GetBytes(12)
        );
        using X509Certificate2 whole = key is RSA rsaPart ? made.CopyWithPrivateKey(rsaPart) : made.CopyWithPrivateKey((ECDsa)key);
        // Exported and loaded again, so that every system's TLS can use the key.
        return X509CertificateLoader.LoadPkcs12(whole.Export(X509ContentType.Pkcs12), password: null, X509KeyStorageFlags.Exportable);
    }

    // SubjectAltName ::= SEQUENCE OF CHOICE { ... dNSName [2], uniformResourceIdentifier [6], iPAddress [7] ... }; .NET's builder accepts
    // only absolute URIs.
    private static X509Extension Names(string? uri)
    {
        AsnWriter names = new(AsnEncodingRules.DER);
        using (names.PushSequence())
        {
            names.WriteCharacterString(UniversalTagNumber.IA5String, "localhost", new Asn1Tag(TagClass.ContextSpecific, 2));
            if (uri is not null)
                names.WriteCharacterString(UniversalTagNumber.IA5String, uri, new Asn1Tag(TagClass.ContextSpecific, 6));
            names.WriteOctetString(IPAddress.Loopback.GetAddressBytes(), new Asn1Tag(TagClass.ContextSpecific, 7));
        }

        return new X509Extension("2.5.29.17", names.Encode(), critical: false);
    }

    private static AsymmetricAlgorithm KeyOf(X509Certificate2 certificate) =>
        (AsymmetricAlgorithm?)certificate.GetECDsaPrivateKey() ?? certificate.GetRSAPrivateKey()!;

    // Atomically, as when an operator replaces certificates of a running server.
    private static void Replace(string path, string content)
    {
        File.WriteAllText(path + ".new", content);
        File.Move(path + ".new", path, overwrite: true);
    }
}
