// Reads certificates and keys. At start, when an option changes, and when a file does: one caller at a time.
using System.Globalization;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Garnet.Store;
using Microsoft.Win32.SafeHandles;

namespace Garnet.Hosting.Tls;

/// <summary>
/// Makes <see cref="TlsMaterial"/> of the files that the options name. Every complaint is one line that names the option and the file, and
/// says what to do.
/// </summary>
internal sealed class TlsFiles(GarnetOptions options)
{
    private string? Password => options.TlsKeyPassword.Length == 0 ? null : options.TlsKeyPassword;

    /// <summary>Reads all files again.</summary>
    /// <exception cref="OptionException">Something is missing, unreadable, or not valid now.</exception>
    public TlsMaterial Load(DateTimeOffset now)
    {
        (X509Certificate2 certificate, X509Certificate2Collection chain) = options.TlsPfxFile.Length > 0 ? LoadPfx() : LoadPem();
        CheckTime(certificate, now);
        return new TlsMaterial(Usable(certificate), chain, LoadAuthorities(), options);
    }

    /// <summary>A text that changes when one of the files does.</summary>
    public string Fingerprint()
    {
        var text = new StringBuilder();
        foreach (string path in new[] { options.TlsPfxFile, options.TlsCertFile, options.TlsKeyFile, options.TlsCaCertFile })
        {
            if (path.Length > 0)
                text.Append(ContentOf(Full(path))).Append('|');
        }

        if (options.TlsCaCertDir.Length > 0)
        {
            text.Append(
                Look(
                    Full(options.TlsCaCertDir),
                    static folder => string.Join('|', FilesIn(folder).Select(static path => path + TimeOf(path)))
                )
            );
        }

        return text.ToString();
    }

    private (X509Certificate2 Certificate, X509Certificate2Collection Chain) LoadPem()
    {
        if (options.TlsCertFile.Length == 0)
            throw new OptionException("tls-port: TLS needs a certificate: give tls-cert-file and tls-key-file, or tls-pfx-file");
        if (options.TlsKeyFile.Length == 0)
            throw new OptionException("tls-cert-file: its private key is missing: give tls-key-file");
        var chain = new X509Certificate2Collection();
        string certificatePath = Full(options.TlsCertFile);
        AddPem("tls-cert-file", certificatePath, chain);
        X509Certificate2 leaf = chain[0];
        chain.RemoveAt(0);
        return (WithKey(leaf, certificatePath), chain);
    }

    private X509Certificate2 WithKey(X509Certificate2 leaf, string certificatePath)
    {
        string keyPath = Full(options.TlsKeyFile);
        string key = ReadText("tls-key-file", keyPath);
        string certificate = leaf.ExportCertificatePem();
        try
        {
            return Password is null
                ? X509Certificate2.CreateFromPem(certificate, key)
                : X509Certificate2.CreateFromEncryptedPem(certificate, key, Password);
        }
        catch (ArgumentException)
        {
            throw new OptionException(
                $"tls-key-file {keyPath}: is not the key of the certificate in {certificatePath}: give the two that belong together"
            );
        }
        catch (CryptographicException e)
        {
            throw new OptionException($"tls-key-file {keyPath}: {KeyProblem(key, e)}");
        }
    }

    private string KeyProblem(string key, CryptographicException e)
    {
        if (key.Contains("Proc-Type: 4,ENCRYPTED", StringComparison.Ordinal))
            return "is encrypted in an outdated form: convert it with openssl pkcs8 -topk8";
        bool isEncrypted = key.Contains("ENCRYPTED PRIVATE KEY", StringComparison.Ordinal);
        if (isEncrypted && Password is null)
            return "is encrypted: give tls-key-file-pass";
        if (isEncrypted)
            return "cannot be decrypted: is tls-key-file-pass right?";
        if (Password is not null && key.Contains("PRIVATE KEY", StringComparison.Ordinal))
            return "is not encrypted: leave tls-key-file-pass away";
        return key.Contains("PRIVATE KEY", StringComparison.Ordinal)
            ? $"does not fit the certificate or is damaged: {e.Message}"
            : "holds no private key in PEM form";
    }

    private (X509Certificate2 Certificate, X509Certificate2Collection Chain) LoadPfx()
    {
        if (options.TlsCertFile.Length > 0 || options.TlsKeyFile.Length > 0)
            throw new OptionException("tls-pfx-file: give either it, or tls-cert-file and tls-key-file");
        string path = Full(options.TlsPfxFile);
        byte[] bytes = Read("tls-pfx-file", path, File.ReadAllBytes);
        try
        {
            X509Certificate2Collection chain = X509CertificateLoader.LoadPkcs12Collection(bytes, Password);
            X509Certificate2 certificate =
                chain.FirstOrDefault(static held => held.HasPrivateKey)
                ?? throw new OptionException($"tls-pfx-file {path}: holds no certificate with its private key");
            chain.Remove(certificate);
            return (certificate, chain);
        }
        catch (CryptographicException)
        {
            throw new OptionException(
                $"tls-pfx-file {path}: cannot be read as PKCS #12: is it such a file, and is tls-key-file-pass its password?"
            );
        }
    }

    private X509Certificate2Collection LoadAuthorities()
    {
        var authorities = new X509Certificate2Collection();
        if (options.TlsAuthClients == ClientCertificates.No)
            return authorities;
        if (options.TlsCaCertFile.Length == 0 && options.TlsCaCertDir.Length == 0)
        {
            throw new OptionException(
                "tls-auth-clients: client certificates need an authority to vouch for them: give tls-ca-cert-file or tls-ca-cert-dir, or set tls-auth-clients no"
            );
        }

        if (options.TlsCaCertFile.Length > 0)
            AddPem("tls-ca-cert-file", Full(options.TlsCaCertFile), authorities);
        if (options.TlsCaCertDir.Length > 0)
            AddFolder(Full(options.TlsCaCertDir), authorities);
        return authorities;
    }

    private static void AddFolder(string folder, X509Certificate2Collection authorities)
    {
        int before = authorities.Count;
        foreach (string path in Read("tls-ca-cert-dir", folder, FilesIn))
        {
            // Such folders hold lists of revoked certificates and read-me files, too.
            string text = ReadText("tls-ca-cert-dir", path);
            if (
                text.Contains("BEGIN CERTIFICATE-", StringComparison.Ordinal)
                || text.Contains("BEGIN TRUSTED CERTIFICATE-", StringComparison.Ordinal)
            )
            {
                AddPem("tls-ca-cert-dir", path, authorities);
            }
        }

        if (authorities.Count == before)
            throw new OptionException($"tls-ca-cert-dir {folder}: none of its files holds a certificate in PEM form");
    }

    private static void AddPem(string option, string path, X509Certificate2Collection certificates)
    {
        int before = certificates.Count;
        string text = ReadText(option, path);
        try
        {
            certificates.ImportFromPem(text);
        }
        catch (CryptographicException e)
        {
            throw new OptionException($"{option} {path}: is damaged: {e.Message}");
        }

        if (certificates.Count == before)
            throw new OptionException($"{option} {path}: holds no certificate in PEM form");
    }

    private void CheckTime(X509Certificate2 certificate, DateTimeOffset now)
    {
        string file =
            options.TlsPfxFile.Length > 0 ? $"tls-pfx-file {Full(options.TlsPfxFile)}" : $"tls-cert-file {Full(options.TlsCertFile)}";
        if (now > certificate.NotAfter)
            throw new OptionException($"{file}: the certificate expired on {Day(certificate.NotAfter)}: put a valid one there");
        if (now < certificate.NotBefore)
        {
            throw new OptionException(
                $"{file}: the certificate is valid from {Day(certificate.NotBefore)} only: put a valid one there, or set the clock right"
            );
        }
    }

    private string Full(string path) => Path.GetFullPath(path, options.Dir);

    // Windows' own TLS cannot use a key that exists in memory only.
    private static X509Certificate2 Usable(X509Certificate2 certificate) =>
        HostSystem.IsWindows ? X509CertificateLoader.LoadPkcs12(certificate.Export(X509ContentType.Pkcs12), password: null) : certificate;

    private static string Day(DateTime time) => time.ToUniversalTime().ToString("yyyy-MM-dd HH:mm 'UTC'", CultureInfo.InvariantCulture);

    private static string ReadText(string option, string path) => Read(option, path, File.ReadAllText);

    private static T Read<T>(string option, string path, Func<string, T> read)
    {
        try
        {
            return read(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            string advice = e switch
            {
                UnauthorizedAccessException => " Let the server's user read it",
                FileNotFoundException or DirectoryNotFoundException => " Correct the path",
                _ => "",
            };
            throw new OptionException($"{option} {path}: cannot be read: {e.Message}{advice}");
        }
    }

    private static string[] FilesIn(string folder)
    {
        string[] files = Directory.GetFiles(folder);
        Array.Sort(files, StringComparer.Ordinal);
        return files;
    }

    private static string ContentOf(string path) =>
        Look(path, static path => Convert.ToHexString(SHA256.HashData(File.ReadAllBytes(path))));

    private static string TimeOf(string path) =>
        Look(
            path,
            static path =>
            {
                // Through the handle, as what changes may be what a link points to.
                using SafeFileHandle file = File.OpenHandle(path);
                return string.Create(
                    CultureInfo.InvariantCulture,
                    $"{RandomAccess.GetLength(file)} {File.GetLastWriteTimeUtc(file).Ticks}"
                );
            }
        );

    // A file that is gone, perhaps for the moment in which it is replaced, is a change like any other; reading it reports the problem.
    private static string Look(string path, Func<string, string> look)
    {
        try
        {
            return look(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return "none";
        }
    }
}
