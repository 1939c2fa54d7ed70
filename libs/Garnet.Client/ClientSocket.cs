// Makes a client's socket. Stateless; any thread.
using System.Net;
using System.Net.Sockets;

namespace Garnet.Client;

/// <summary>The socket for an endpoint, not connected.</summary>
internal static class ClientSocket
{
    /// <summary>One of the endpoint's family, or of both families of IP for a name; small requests are sent at once.</summary>
    public static Socket Create(EndPoint endPoint)
    {
        if (endPoint is UnixDomainSocketEndPoint)
            return new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        Socket socket =
            endPoint.AddressFamily == AddressFamily.Unspecified
                ? new Socket(SocketType.Stream, ProtocolType.Tcp)
                : new Socket(endPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        socket.NoDelay = true;
        return socket;
    }
}
