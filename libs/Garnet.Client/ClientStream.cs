// Opens the stream that a client speaks on. Stateless; any thread.
using System.Net;
using System.Net.Sockets;

namespace Garnet.Client;

/// <summary>A socket, and TLS on it when that is wanted.</summary>
internal static class ClientStream
{
    /// <summary>Connects to an end point; the stream owns its socket.</summary>
    /// <exception cref="System.Security.Authentication.AuthenticationException">
    /// The two do not trust each other, or a file of the options cannot be used.
    /// </exception>
    public static async Task<Stream> OpenAsync(EndPoint endPoint, RespTlsOptions? tls, CancellationToken cancellationToken)
    {
        Socket socket =
            endPoint is UnixDomainSocketEndPoint
                ? new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified)
                : new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            await socket.ConnectAsync(endPoint, cancellationToken).ConfigureAwait(false);
            Stream stream = new NetworkStream(socket, ownsSocket: true);
            return tls is null ? stream : await TlsHandshake.RunAsync(stream, tls, endPoint, cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }
}
