// The large-value features of any connection, by copying where the transport lacks them. Call it after all middleware has run.
using Microsoft.AspNetCore.Connections;

namespace Garnet.Network.Features;

/// <summary>Large values on any transport.</summary>
internal static class ConnectionContextExtensions
{
    /// <summary>The connection's own way to send memory in place, or a copying fallback (other transports, TLS).</summary>
    public static IReferencedSend GetReferencedSend(this ConnectionContext connection) =>
        connection.Features.Get<IReferencedSend>() ?? new CopyingSend(connection.Transport.Output);

    /// <summary>The connection's own way to receive in place, or a copying fallback (other transports, TLS).</summary>
    public static IDirectReceive GetDirectReceive(this ConnectionContext connection) =>
        connection.Features.Get<IDirectReceive>() ?? new CopyingReceive(connection.Transport.Input);
}
