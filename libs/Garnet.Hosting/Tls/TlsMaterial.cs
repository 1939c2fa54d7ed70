// What a server shows under TLS and whom it trusts. Immutable; any thread. Connections keep what they were accepted with.
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;

namespace Garnet.Hosting.Tls;

/// <summary>The server's certificate with its key and chain, and the authorities that vouch for clients.</summary>
internal sealed class TlsMaterial
{
    private readonly ClientCertificates _clients;

    /// <summary>Puts together what the files hold and what the options ask.</summary>
    public TlsMaterial(
        X509Certificate2 certificate,
        X509Certificate2Collection chain,
        X509Certificate2Collection authorities,
        GarnetOptions options
    )
    {
        _clients = options.TlsAuthClients;
        Certificate = certificate;
        Authorities = authorities;
        Authentication = new SslServerAuthenticationOptions
        {
            // Nothing is fetched from anywhere: a certificate's chain is what its file holds.
            ServerCertificateContext = SslStreamCertificateContext.Create(certificate, chain, offline: true),
            EnabledSslProtocols = TlsProtocolNames.Parse(options.TlsProtocols),
            CipherSuitesPolicy = CipherSuites.Parse(options.TlsCiphers, options.TlsCipherSuites),
            AllowRenegotiation = false,
            AllowTlsResume = options.TlsSessionCaching,
            EncryptionPolicy = EncryptionPolicy.RequireEncryption,
            CertificateRevocationCheckMode = X509RevocationMode.NoCheck,
            ClientCertificateRequired = _clients != ClientCertificates.No,
        };
        BrowserAuthentication = new SslServerAuthenticationOptions
        {
            ServerCertificateContext = Authentication.ServerCertificateContext,
            EnabledSslProtocols = Authentication.EnabledSslProtocols,
            CipherSuitesPolicy = Authentication.CipherSuitesPolicy,
            AllowRenegotiation = false,
            AllowTlsResume = options.TlsSessionCaching,
            EncryptionPolicy = EncryptionPolicy.RequireEncryption,
            CertificateRevocationCheckMode = X509RevocationMode.NoCheck,
            ApplicationProtocols = [SslApplicationProtocol.Http11],
        };
        if (_clients == ClientCertificates.No)
            return;
        Authentication.CertificateChainPolicy = TrustOnly(authorities);
        Authentication.RemoteCertificateValidationCallback = (_, shown, chain, errors) => Accepts(shown, chain, errors);
    }

    /// <summary>The server's own.</summary>
    public X509Certificate2 Certificate { get; }

    /// <summary>Whose clients are let in; empty when clients show nothing.</summary>
    public X509Certificate2Collection Authorities { get; }

    /// <summary>What each handshake is made with.</summary>
    public SslServerAuthenticationOptions Authentication { get; }

    /// <summary>What handshakes of browsers are made with: they show no certificate.</summary>
    public SslServerAuthenticationOptions BrowserAuthentication { get; }

    private bool Accepts(X509Certificate? shown, X509Chain? chain, SslPolicyErrors errors)
    {
        if (shown is null ? _clients == ClientCertificates.Optional : errors == SslPolicyErrors.None)
            return true;
        CertificateRefusal.Note(
            shown is null
                ? "the client sent no certificate (tls-auth-clients yes)"
                : $"the client's certificate was refused: {Reasons(chain)}"
        );
        return false;
    }

    private static string Reasons(X509Chain? chain) =>
        chain is { ChainStatus: [_, ..] reasons }
            ? string.Join("; ", reasons.Select(static reason => reason.StatusInformation).Distinct())
            : "it is not for this purpose";

    private static X509ChainPolicy TrustOnly(X509Certificate2Collection authorities)
    {
        var policy = new X509ChainPolicy
        {
            TrustMode = X509ChainTrustMode.CustomRootTrust,
            RevocationMode = X509RevocationMode.NoCheck,
            DisableCertificateDownloads = true,
        };
        policy.CustomTrustStore.AddRange(authorities);
        return policy;
    }
}
