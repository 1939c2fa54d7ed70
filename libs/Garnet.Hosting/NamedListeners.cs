// Says which endpoint could not be opened. Called by Kestrel while it starts, and when addresses change.
using System.Net;
using System.Net.Sockets;
using Garnet.Hosting.Kestrel;
using Microsoft.AspNetCore.Connections;

namespace Garnet.Hosting;

/// <summary>Passes binding on to a transport; a socket's error, which names no address, becomes one that does.</summary>
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
            throw new EndPointException($"{ListenAddress.Text(endpoint)}: {e.Message}", e);
        }
    }
}
