// Opens a client's stream. Stateless; any thread.
using System.Net;
using System.Net.Sockets;

namespace Garnet.Client;

/// <summary>A socket, with TLS over it if requested.</summary>
internal static class ClientStream
{
    /// <summary>Connects to an endpoint; the stream owns its socket.</summary>
    /// <exception cref="System.Security.Authentication.AuthenticationException">
    /// The handshake failed because one side rejected the other's certificate, or a file named by the options cannot be used.
    /// </exception>
    public static async Task<Stream> OpenAsync(EndPoint endPoint, RespTlsOptions? tls, CancellationToken cancellationToken)
    {
        Socket socket = ClientSocket.Create(endPoint);
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
