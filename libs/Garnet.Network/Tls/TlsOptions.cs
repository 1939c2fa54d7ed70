// The TLS options of a connection other than certificates. Immutable.
namespace Garnet.Network.Tls;

/// <summary>How TLS is used on a connection.</summary>
internal sealed class TlsOptions
{
    /// <summary>Maximum plaintext bytes in one TLS record.</summary>
    public const int RecordBytes = 16 * 1024;

    /// <summary>
    /// Maximum plaintext bytes encrypted in one call; a whole record by default, because each record costs a header, a checksum and a call.
    /// </summary>
    public int WriteBytes { get; init; } = RecordBytes;
}
