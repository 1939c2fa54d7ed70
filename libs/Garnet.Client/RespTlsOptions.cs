// TLS settings of a client connection. Set before use, then only read.
using System.Net.Security;

namespace Garnet.Client;

/// <summary>
/// Which server certificates to accept, and which client certificate to present. By default the server's certificate must be for the host
/// name connected to, and be issued by an authority that the system trusts. Files are read for each connection, so that a replaced
/// certificate is used from the next connection on.
/// </summary>
public sealed class RespTlsOptions
{
    /// <summary>
    /// The name that the server's certificate must be for; null for the host connected to. Required with a Unix socket.
    /// </summary>
    public string? HostName { get; set; }

    /// <summary>PEM file with the certificate authorities to trust instead of the system's; null for the system's.</summary>
    public string? AuthorityFile { get; set; }

    /// <summary>
    /// PEM file with the client's certificate, followed by any intermediate certificates; null to present none.
    /// </summary>
    public string? CertificateFile { get; set; }

    /// <summary>PEM file with the private key of <see cref="CertificateFile"/>; null if the key is in the same file.</summary>
    public string? KeyFile { get; set; }

    /// <summary>PKCS #12 file with the client's certificate and key, instead of <see cref="CertificateFile"/>.</summary>
    public string? PfxFile { get; set; }

    /// <summary>The password of <see cref="KeyFile"/> or <see cref="PfxFile"/>; null when there is none.</summary>
    public string? KeyPassword { get; set; }

    /// <summary>
    /// Adjusts the options passed to the runtime, for example protocol versions, revocation checks or a validation callback. Called last,
    /// for each connection.
    /// </summary>
    public Action<SslClientAuthenticationOptions>? Configure { get; set; }

    /// <summary>Whether any of these settings has a value.</summary>
    internal bool HasAnySetting =>
        HostName is not null
        || AuthorityFile is not null
        || CertificateFile is not null
        || KeyFile is not null
        || PfxFile is not null
        || KeyPassword is not null
        || Configure is not null;

    /// <summary>Checks the settings; connecting does the same.</summary>
    /// <exception cref="ArgumentException">A setting is invalid; the message names it.</exception>
    public void Validate()
    {
        if (Problems().FirstOrDefault() is { } problem)
            throw new ArgumentException(problem);
    }

    /// <summary>What is wrong with the settings: one line per problem, beginning with the setting's name.</summary>
    internal IEnumerable<string> Problems()
    {
        if (HostName is { Length: 0 })
            yield return $"{nameof(HostName)} is empty; give the name in the server's certificate, or leave it out.";
        if (CertificateFile is not null && PfxFile is not null)
            yield return $"{nameof(CertificateFile)} and {nameof(PfxFile)} exclude each other; set one.";
        if (KeyFile is not null && CertificateFile is null)
            yield return $"{nameof(KeyFile)} is set without {nameof(CertificateFile)}.";
        if (KeyPassword is not null && CertificateFile is null && PfxFile is null)
            yield return $"{nameof(KeyPassword)} is set without {nameof(CertificateFile)} or {nameof(PfxFile)}.";
        (string Name, string? Path)[] files =
        [
            (nameof(AuthorityFile), AuthorityFile),
            (nameof(CertificateFile), CertificateFile),
            (nameof(KeyFile), KeyFile),
            (nameof(PfxFile), PfxFile),
        ];
        foreach ((string name, string? path) in files)
        {
            if (path is not null && !File.Exists(path))
                yield return $"{name} is '{path}'; there is no such file.";
        }
    }
}
