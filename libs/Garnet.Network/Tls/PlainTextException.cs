// Thrown while a connection is accepted.
namespace Garnet.Network.Tls;

/// <summary>The peer does not speak TLS: its first byte begins no handshake.</summary>
internal sealed class PlainTextException() : IOException("The peer does not speak TLS.");
