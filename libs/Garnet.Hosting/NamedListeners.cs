// Says which endpoint could not be opened. Called by Kestrel while it starts, and when addresses change.
using System.Net;
using System.Net.Sockets;
using Garnet.Hosting.Kestrel;
using Microsoft.AspNetCore.Connections;

namespace Garnet.Hosting;

/// <summary>
/// Passes binding on to a transport; a socket's error, which names no address, becomes one that does, and says what can be done.
/// </summary>
internal sealed class NamedListeners(IConnectionListenerFactory transport) : IConnectionListenerFactory
{
    public async ValueTask<IConnectionListener> BindAsync(EndPoint endpoint, CancellationToken cancellationToken = default)
    {
        if (endpoint is EndPointGroup group)
            return await group.BindAsync(this).ConfigureAwait(false);
        try
        {
            return await transport.BindAsync(endpoint, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (e is SocketException or AddressInUseException)
        {
            throw new EndPointException($"{ListenAddress.Text(endpoint)}: {e.Message}{Advice(endpoint, e)}", e);
        }
    }

    private static string Advice(EndPoint endpoint, Exception e) =>
        ((e as SocketException ?? e.InnerException as SocketException)?.SocketErrorCode, endpoint) switch
        {
            (SocketError.AddressAlreadyInUse, UnixDomainSocketEndPoint) =>
                ": it is taken by another server or an ordinary file; end the one, move the other away, or give another path",
            (SocketError.AddressAlreadyInUse, _) => ": another program listens there; end it, or give another port or address",
            (SocketError.AddressNotAvailable, UnixDomainSocketEndPoint) => ": its folder does not exist; make it, or give another path",
            (SocketError.AddressNotAvailable, IPEndPoint) => ": this machine has no such address; give one of its own",
            (SocketError.AccessDenied, UnixDomainSocketEndPoint) =>
                ": let the server's user write in that folder and belong to unixsocketgroup, or give another path",
            (SocketError.AccessDenied, IPEndPoint { Port: < 1024 }) =>
                ": ports below 1024 need a right of their own (on Linux CAP_NET_BIND_SERVICE); give another port",
            _ => "",
        };
}
