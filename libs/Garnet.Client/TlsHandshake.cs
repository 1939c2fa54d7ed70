// The client's TLS handshake. Stateless; any thread.
using System.Net;
using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Garnet.Client;

/// <summary>Performs the client's side of a handshake according to <see cref="RespTlsOptions"/>.</summary>
internal static class TlsHandshake
{
    /// <summary>Returns the encrypted stream, which owns the given one.</summary>
    /// <exception cref="AuthenticationException">
    /// One side rejected the other's certificate, or a file named by the options cannot be used.
    /// </exception>
    public static async Task<Stream> RunAsync(Stream stream, RespTlsOptions options, EndPoint server, CancellationToken cancellationToken)
    {
        var tls = new SslStream(stream);
        try
        {
            await tls.AuthenticateAsClientAsync(Settings(options, server), cancellationToken).ConfigureAwait(false);
            return tls;
        }
        catch
        {
            await tls.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Accepts any certificate of the server, for those who ask for it.</summary>
    public static void AcceptAny(SslClientAuthenticationOptions settings) =>
        settings.RemoteCertificateValidationCallback = static (_, _, _, _) => true;

    private static SslClientAuthenticationOptions Settings(RespTlsOptions options, EndPoint server)
    {
        var settings = new SslClientAuthenticationOptions { TargetHost = options.HostName ?? HostOf(server) };
        if (options.AuthorityFile is not null)
        {
            settings.CertificateChainPolicy = new X509ChainPolicy
            {
                TrustMode = X509ChainTrustMode.CustomRootTrust,
                RevocationMode = X509RevocationMode.NoCheck,
                DisableCertificateDownloads = true,
            };
            settings.CertificateChainPolicy.CustomTrustStore.AddRange(
                Read(nameof(options.AuthorityFile), options.AuthorityFile, Authorities)
            );
        }

        if (options.CertificateFile is not null)
        {
            settings.ClientCertificateContext = Read(
                nameof(options.CertificateFile),
                options.CertificateFile,
                path => OwnFromPem(path, options)
            );
        }
        else if (options.PfxFile is not null)
        {
            settings.ClientCertificateContext = Read(
                nameof(options.PfxFile),
                options.PfxFile,
                path => OwnFromPfx(path, options.KeyPassword)
            );
        }

        options.Configure?.Invoke(settings);
        return settings;
    }

    private static string HostOf(EndPoint server) =>
        server switch
        {
            DnsEndPoint host => host.Host,
            IPEndPoint address => address.Address.ToString(),
            _ => throw new AuthenticationException(
                $"{nameof(RespTlsOptions.HostName)} must say whose certificate is expected at {server}."
            ),
        };

    private static X509Certificate2Collection Authorities(string path)
    {
        var authorities = new X509Certificate2Collection();
        authorities.ImportFromPemFile(path);
        return authorities.Count > 0 ? authorities : throw new CryptographicException("it holds no certificate in PEM form");
    }

    private static SslStreamCertificateContext OwnFromPem(string path, RespTlsOptions options)
    {
        string key = options.KeyFile ?? path;
        X509Certificate2 own = options.KeyPassword is null
            ? X509Certificate2.CreateFromPemFile(path, key)
            : X509Certificate2.CreateFromEncryptedPemFile(path, options.KeyPassword, key);
        var chain = new X509Certificate2Collection();
        chain.ImportFromPemFile(path);
        // Windows' TLS cannot use a key that exists only in memory; on other systems the detour does no harm.
        return Context(X509CertificateLoader.LoadPkcs12(own.Export(X509ContentType.Pkcs12), password: null), chain);
    }

    private static SslStreamCertificateContext OwnFromPfx(string path, string? password)
    {
        X509Certificate2Collection all = X509CertificateLoader.LoadPkcs12CollectionFromFile(path, password);
        X509Certificate2 own =
            all.FirstOrDefault(static certificate => certificate.HasPrivateKey)
            ?? throw new CryptographicException("it holds no certificate with its private key");
        return Context(own, all);
    }

    // Offline: intermediate certificates are taken from the file only, never downloaded.
    private static SslStreamCertificateContext Context(X509Certificate2 own, X509Certificate2Collection chain) =>
        SslStreamCertificateContext.Create(own, chain, offline: true);

    private static T Read<T>(string option, string path, Func<string, T> read)
    {
        try
        {
            return read(path);
        }
        catch (Exception e) when (e is CryptographicException or ArgumentException or IOException or UnauthorizedAccessException)
        {
            throw new AuthenticationException($"{option} '{path}' cannot be used: {e.Message}", e);
        }
    }
}
