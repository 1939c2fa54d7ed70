// The options of TLS. One thread, at start.
using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Garnet.Client;

namespace Garnet.Cli.Options;

/// <summary>Collects them until all are known, and turns them into settings of the connection.</summary>
internal sealed class TlsOptionReader
{
    private bool _isOn;
    private bool _isInsecure;
    private string? _hostName;
    private string? _authority;
    private string? _authorityFolder;
    private string? _certificate;
    private string? _key;
    private TlsCipherSuite[]? _suites;

    /// <summary>Takes the option if it is one of these.</summary>
    /// <param name="option">As it was written.</param>
    /// <param name="value">Reads its value.</param>
    public bool TryRead(string option, Func<string, string> value)
    {
        switch (option)
        {
            case "--tls":
                return _isOn = true;
            case "--insecure":
                return _isInsecure = true;
            case "--sni":
                _hostName = value(option);
                return true;
            case "--cacert":
                _authority = ExistingFile(option, value(option));
                return true;
            case "--cacertdir":
                _authorityFolder = ExistingFolder(option, value(option));
                return true;
            case "--cert":
                _certificate = ExistingFile(option, value(option));
                return true;
            case "--key":
                _key = ExistingFile(option, value(option));
                return true;
            case "--tls-ciphersuites":
                _suites = Suites(value(option));
                return true;
            case "--tls-ciphers":
                throw new CliException(
                    "--tls-ciphers is not supported; --tls-ciphersuites takes the names of all versions, as TLS_AES_128_GCM_SHA256"
                );
            default:
                return false;
        }
    }

    /// <summary>Stores the settings, if TLS is asked for by --tls or the scheme of the URI.</summary>
    public void Apply(ConnectionOptions connection)
    {
        if (!_isOn && connection.Tls is null)
            return;
        if (_certificate is null != _key is null)
            throw new CliException("--cert and --key belong together: the client's certificate and its private key");
        connection.Tls = new RespTlsOptions
        {
            HostName = _hostName ?? (connection.SocketPath is null ? null : "localhost"),
            AuthorityFile = _authority,
            CertificateFile = _certificate,
            KeyFile = _key,
            Configure = Adjust,
        };
    }

    private void Adjust(SslClientAuthenticationOptions settings)
    {
        if (_isInsecure)
            TlsHandshake.AcceptAny(settings);
        if (_authorityFolder is not null)
            Trust(settings, _authorityFolder);
        // Windows chooses the suites itself.
        if (_suites is not null && !OperatingSystem.IsWindows() && !OperatingSystem.IsAndroid())
            settings.CipherSuitesPolicy = new CipherSuitesPolicy(_suites);
    }

    private static void Trust(SslClientAuthenticationOptions settings, string folder)
    {
        X509ChainPolicy policy = settings.CertificateChainPolicy ??= new X509ChainPolicy
        {
            TrustMode = X509ChainTrustMode.CustomRootTrust,
            RevocationMode = X509RevocationMode.NoCheck,
            DisableCertificateDownloads = true,
        };
        foreach (string file in Directory.EnumerateFiles(folder))
        {
            try
            {
                policy.CustomTrustStore.ImportFromPemFile(file);
            }
            catch (CryptographicException e)
            {
                throw new CliException($"--cacertdir: {file} cannot be used: {e.Message}");
            }
        }
    }

    private static TlsCipherSuite[] Suites(string list)
    {
        var suites = new List<TlsCipherSuite>();
        foreach (string name in list.Split(':', StringSplitOptions.RemoveEmptyEntries))
        {
            suites.Add(
                Enum.TryParse(name, ignoreCase: true, out TlsCipherSuite suite)
                    ? suite
                    : throw new CliException($"--tls-ciphersuites: there is no suite '{name}'; names are as TLS_AES_128_GCM_SHA256")
            );
        }

        return [.. suites];
    }

    private static string ExistingFile(string option, string path) =>
        File.Exists(path) ? path : throw new CliException($"{option}: there is no file '{path}'");

    private static string ExistingFolder(string option, string path) =>
        Directory.Exists(path) ? path : throw new CliException($"{option}: there is no folder '{path}'");
}
