// What a connection needs to know about TLS beyond certificates. Immutable.
namespace Garnet.Network.Tls;

/// <summary>How TLS is spoken on a connection.</summary>
public sealed class TlsOptions
{
    /// <summary>Most plain bytes in one record of the protocol.</summary>
    public const int RecordBytes = 16 * 1024;

    /// <summary>
    /// Most plain bytes that are encrypted in one call; whole records by default, as each costs a header, a checksum and a call.
    /// </summary>
    public int WriteBytes { get; init; } = RecordBytes;
}
