// Why a handshake refused the client's certificate: carried from .NET's validation callback to the log. Any thread.
namespace Garnet.Hosting.Tls;

/// <summary>
/// The callback that judges a certificate belongs to all handshakes and can only answer yes or no; the exception that follows says no more
/// than that. So the reason travels with the handshake's own flow of execution.
/// </summary>
internal sealed class CertificateRefusal
{
    private static readonly AsyncLocal<CertificateRefusal?> Current = new();

    /// <summary>Why; null when no certificate was refused.</summary>
    public string? Reason { get; private set; }

    /// <summary>Begins a handshake: what the callback notes from here on is its own.</summary>
    public static CertificateRefusal Begin() => Current.Value = new CertificateRefusal();

    /// <summary>Notes the reason for the handshake that is being made.</summary>
    public static void Note(string reason)
    {
        if (Current.Value is { } refusal)
            refusal.Reason = reason;
    }
}
