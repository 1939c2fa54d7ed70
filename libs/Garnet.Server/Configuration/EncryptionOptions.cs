// The options about encryption. Stateless; any thread.
using System.Runtime.CompilerServices;

namespace Garnet.Server.Configuration;

/// <summary>The rows of <see cref="OptionTable"/> about TLS.</summary>
internal static class EncryptionOptions
{
    public static OptionDescriptor[] All() =>
        [
            new IntegerOption("tls-port", static o => o.TlsPort, static (o, v) => o.TlsPort = (int)v, 0, 65535)
            {
                Group = OptionGroup.Tls,
                Help = "TCP port for TLS, on the addresses of bind, in addition to port; 0 opens none.",
                Mutability = Mutability.Runtime,
            },
            File("tls-cert-file", static o => o.TlsCertFile, static (o, v) => o.TlsCertFile = v, "Server certificate and its chain, PEM."),
            File("tls-key-file", static o => o.TlsKeyFile, static (o, v) => o.TlsKeyFile = v, "Private key of tls-cert-file, PEM."),
            new StringOption("tls-key-file-pass", static o => o.TlsKeyPassword, static (o, v) => o.TlsKeyPassword = v)
            {
                Group = OptionGroup.Tls,
                Help = "Password of tls-key-file or tls-pfx-file.",
                Mutability = Mutability.Runtime,
                EmptyIsAbsent = true,
                Sensitive = true,
            },
            File(
                "tls-pfx-file",
                static o => o.TlsPfxFile,
                static (o, v) => o.TlsPfxFile = v,
                "Certificate, chain and key as PKCS #12, instead of tls-cert-file and tls-key-file."
            ),
            File(
                "tls-ca-cert-file",
                static o => o.TlsCaCertFile,
                static (o, v) => o.TlsCaCertFile = v,
                "Authorities trusted for client certificates, PEM."
            ),
            File(
                "tls-ca-cert-dir",
                static o => o.TlsCaCertDir,
                static (o, v) => o.TlsCaCertDir = v,
                "Folder of files like tls-ca-cert-file; their names do not matter."
            ),
            new EnumOption<ClientCertificates>(
                "tls-auth-clients",
                static o => o.TlsAuthClients,
                static (o, v) => o.TlsAuthClients = v,
                [("no", ClientCertificates.No), ("yes", ClientCertificates.Yes), ("optional", ClientCertificates.Optional)]
            )
            {
                Group = OptionGroup.Tls,
                Help = "Whether clients present certificates: yes requires them, no requests none, optional accepts them.",
                Mutability = Mutability.Runtime,
            },
            new EnumOption<CertificateField>(
                "tls-auth-clients-user",
                static o => o.TlsAuthClientsUser,
                static (o, v) => o.TlsAuthClientsUser = v,
                [("CN", CertificateField.CommonName), ("URI", CertificateField.Uri), ("off", CertificateField.Off)]
            )
            {
                Group = OptionGroup.Tls,
                Help = "Field of a client certificate that names the user to log in.",
                Mutability = Mutability.Runtime,
            },
            new StringOption("tls-protocols", static o => o.TlsProtocols, static (o, v) => o.TlsProtocols = v)
            {
                Group = OptionGroup.Tls,
                Help = "Enabled versions, TLSv1.2 and TLSv1.3; \"\" means both.",
                Mutability = Mutability.Runtime,
                EmptyIsAbsent = true,
            },
            new StringOption("tls-ciphers", static o => o.TlsCiphers, static (o, v) => o.TlsCiphers = v)
            {
                Group = OptionGroup.Tls,
                Help =
                    "Cipher suites of TLS 1.2 by OpenSSL's names, separated by ':', preferred ones first; \"\" uses the system's. Not on Windows.",
                Mutability = Mutability.Runtime,
                EmptyIsAbsent = true,
            },
            new StringOption("tls-ciphersuites", static o => o.TlsCipherSuites, static (o, v) => o.TlsCipherSuites = v)
            {
                Group = OptionGroup.Tls,
                Help = "Cipher suites of TLS 1.3, as in tls-ciphers.",
                Mutability = Mutability.Runtime,
                EmptyIsAbsent = true,
            },
            new BooleanOption("tls-session-caching", static o => o.TlsSessionCaching, static (o, v) => o.TlsSessionCaching = v)
            {
                Group = OptionGroup.Tls,
                Help = "Let clients resume earlier sessions, which saves them and the server a full handshake.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption(
                "tls-auto-reload-interval",
                static o => o.TlsAutoReloadIntervalSeconds,
                static (o, v) => o.TlsAutoReloadIntervalSeconds = (int)v,
                0,
                int.MaxValue
            )
            {
                Property = nameof(GarnetOptions.TlsAutoReloadInterval),
                Unit = TimeSpan.FromSeconds(1),
                Group = OptionGroup.Tls,
                Help = "Seconds between checks of certificate files for changes; new ones apply to new connections. 0 disables them.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption(
                "tls-handshake-timeout-ms",
                static o => o.TlsHandshakeTimeoutMs,
                static (o, v) => o.TlsHandshakeTimeoutMs = (int)v,
                1,
                3_600_000
            )
            {
                Property = nameof(GarnetOptions.TlsHandshakeTimeout),
                Unit = TimeSpan.FromMilliseconds(1),
                Group = OptionGroup.Tls,
                Help = "Timeout of a handshake in milliseconds.",
                Mutability = Mutability.Runtime,
            },
            new MemoryOption("tls-write-bytes", static o => o.TlsWriteBytes, static (o, v) => o.TlsWriteBytes = v, 512, 64 * 1024)
            {
                Group = OptionGroup.Tls,
                Help =
                    "Bytes encrypted at once. More than a record of 16 KiB gains nothing; less delivers the first bytes sooner on slow links.",
                Mutability = Mutability.Runtime,
            },
        ];

    // Setting the name of the current file again reloads it.
    private static StringOption File(
        string name,
        Func<GarnetOptions, string> get,
        Action<GarnetOptions, string> set,
        string help,
        [CallerArgumentExpression(nameof(get))] string getter = ""
    ) =>
        new(name, get, set, getter)
        {
            Group = OptionGroup.Tls,
            Help = help,
            Mutability = Mutability.Runtime,
            EmptyIsAbsent = true,
            IsVolatile = true,
        };
}
