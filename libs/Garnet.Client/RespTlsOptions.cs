// What is to be said about a connection under TLS. Set before use, then only read.
using System.Net.Security;

namespace Garnet.Client;

/// <summary>
/// Whom to believe and what to show. By itself the server's certificate must bear the name that was connected to, and come from an
/// authority that the system trusts. Files are read when a connection is made, so that a replaced certificate is shown from the next
/// connection on.
/// </summary>
public sealed class RespTlsOptions
{
    /// <summary>
    /// The name that the server's certificate must bear; the host that is connected to when null. Needed with a Unix socket.
    /// </summary>
    public string? HostName { get; set; }

    /// <summary>A file in PEM form with the authorities that are believed, in place of the system's; the system's when null.</summary>
    public string? AuthorityFile { get; set; }

    /// <summary>
    /// The client's own certificate, in PEM form, with the certificates between it and its authority behind it; none is shown when null.
    /// </summary>
    public string? CertificateFile { get; set; }

    /// <summary>The key of <see cref="CertificateFile"/>, in PEM form; looked for in the same file when null.</summary>
    public string? KeyFile { get; set; }

    /// <summary>The client's own certificate and key as PKCS #12, in place of <see cref="CertificateFile"/>.</summary>
    public string? PfxFile { get; set; }

    /// <summary>The password of <see cref="KeyFile"/> or <see cref="PfxFile"/>; null when there is none.</summary>
    public string? KeyPassword { get; set; }

    /// <summary>
    /// Has the last word on what the runtime is told: versions, revocation, a judgement of one's own. Called for each connection.
    /// </summary>
    public Action<SslClientAuthenticationOptions>? Configure { get; set; }

    /// <summary>Whether anything is set.</summary>
    internal bool IsFilled =>
        HostName is not null
        || AuthorityFile is not null
        || CertificateFile is not null
        || KeyFile is not null
        || PfxFile is not null
        || KeyPassword is not null
        || Configure is not null;

    /// <summary>Checks the settings, as connecting does.</summary>
    /// <exception cref="ArgumentException">They cannot be right; the message names a setting.</exception>
    public void Validate()
    {
        if (Problems().FirstOrDefault() is { } problem)
            throw new ArgumentException(problem);
    }

    /// <summary>What is wrong with the settings, one line each, beginning with the name of one.</summary>
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
