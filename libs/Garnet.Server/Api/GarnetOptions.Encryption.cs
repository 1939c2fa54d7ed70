// The settings of a server about TLS; see GarnetOptions.cs.
namespace Garnet;

public sealed partial class GarnetOptions
{
    /// <summary>File with the private key of <see cref="TlsCertFile"/>, in PEM form.</summary>
    public string TlsKeyFile { get; set; } = "";

    /// <summary>Password of <see cref="TlsKeyFile"/> or <see cref="TlsPfxFile"/>; empty for none.</summary>
    public string TlsKeyPassword { get; set; } = "";

    /// <summary>
    /// File with certificate, chain and private key as PKCS #12, instead of <see cref="TlsCertFile"/> and <see cref="TlsKeyFile"/>.
    /// </summary>
    public string TlsPfxFile { get; set; } = "";

    /// <summary>File with the certificates of the authorities trusted for client certificates, in PEM form.</summary>
    public string TlsCaCertFile { get; set; } = "";

    /// <summary>Folder of files with such certificates.</summary>
    public string TlsCaCertDir { get; set; } = "";

    /// <summary>Whether clients present certificates.</summary>
    public ClientCertificates TlsAuthClients { get; set; }

    /// <summary>Which field of a client certificate names the user to log in.</summary>
    public CertificateField TlsAuthClientsUser { get; set; }

    /// <summary>Enabled TLS versions, such as <c>TLSv1.2 TLSv1.3</c>; empty for both of these.</summary>
    public string TlsProtocols { get; set; } = "";

    /// <summary>
    /// Cipher suites of TLS 1.2 in order of preference, by OpenSSL's names and separated by <c>:</c>; empty for those of the system's
    /// library.
    /// </summary>
    public string TlsCiphers { get; set; } = "";

    /// <summary>As <see cref="TlsCiphers"/>, for TLS 1.3.</summary>
    public string TlsCipherSuites { get; set; } = "";

    /// <summary>Whether a client may resume an earlier TLS session instead of a full handshake.</summary>
    public bool TlsSessionCaching { get; set; } = true;

    /// <summary>
    /// Time between checks whether the certificate and key files have changed, rounded up to seconds; zero disables them.
    /// </summary>
    public TimeSpan TlsAutoReloadInterval
    {
        get => TimeSpan.FromSeconds(TlsAutoReloadIntervalSeconds);
        set => TlsAutoReloadIntervalSeconds = (int)Units(value, TimeSpan.TicksPerSecond, int.MaxValue);
    }

    internal int TlsAutoReloadIntervalSeconds { get; set; } = 10;

    /// <summary>Timeout of a handshake, rounded up to milliseconds.</summary>
    public TimeSpan TlsHandshakeTimeout
    {
        get => TimeSpan.FromMilliseconds(TlsHandshakeTimeoutMs);
        set => TlsHandshakeTimeoutMs = (int)Units(value, TimeSpan.TicksPerMillisecond, int.MaxValue);
    }

    internal int TlsHandshakeTimeoutMs { get; set; } = 10_000;

    /// <summary>Bytes encrypted at once; a TLS record holds 16 KiB.</summary>
    public long TlsWriteBytes { get; set; } = 16 * 1024;
}
