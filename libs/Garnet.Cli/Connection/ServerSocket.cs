// Connects to a server. Stateless; any thread.
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Security.Authentication;
using Garnet.Cli.Options;
using Garnet.Client;

namespace Garnet.Cli.Connection;

/// <summary>Opens the stream: a socket, with TLS over it if asked for.</summary>
/// <remarks>Blocking calls: the thread pool and asynchronous sockets would start for a single PING.</remarks>
internal static class ServerSocket
{
    private const int KeepAliveSeconds = 15;
    private const int MaxHostLength = 254;
    private static readonly TimeSpan DefaultHandshakeTime = TimeSpan.FromSeconds(10);

    /// <summary>Connects.</summary>
    /// <exception cref="ConnectionLostException">It is not possible; the message is the operating system's reason.</exception>
    public static Stream Open(ConnectionOptions options)
    {
        try
        {
            Socket socket = options.SocketPath is null ? OpenTcp(options) : OpenUnix(options.SocketPath);
            var stream = new NetworkStream(socket, ownsSocket: true);
            return options.Tls is null ? stream : Secure(stream, options);
        }
        catch (SocketException e)
        {
            // The exception's own message repeats the address.
            throw new ConnectionLostException(new SocketException((int)e.SocketErrorCode).Message, canReconnect: true);
        }
    }

    private static Socket OpenTcp(ConnectionOptions options)
    {
        Exception? last = null;
        foreach (IPAddress address in Resolve(options))
        {
            var endPoint = new IPEndPoint(address, options.Port);
            Socket socket = ClientSocket.Create(endPoint);
            try
            {
                Connect(socket, endPoint, options.Timeout);
                SetKeepAlive(socket);
                return socket;
            }
            catch (SocketException e)
            {
                socket.Dispose();
                last = e;
            }
        }

        throw last ?? new SocketException((int)SocketError.HostNotFound);
    }

    private static IPAddress[] Resolve(ConnectionOptions options)
    {
        if (IPAddress.TryParse(options.Host, out IPAddress? address))
            return [address];
        // The runtime takes no name for this machine's, and a long one for a mistake of the program.
        if (options.Host.Length is 0 or > MaxHostLength)
            throw new SocketException((int)SocketError.HostNotFound);
        IPAddress[] all = Dns.GetHostAddresses(options.Host);
        if (options.Family == AddressFamily.Unspecified)
            return all;
        // Preferred, not required: a name that has only addresses of the other family still works.
        IPAddress[] preferred = Array.FindAll(all, each => each.AddressFamily == options.Family);
        return [.. preferred, .. Array.FindAll(all, each => each.AddressFamily != options.Family)];
    }

    private static Socket OpenUnix(string path)
    {
        // The runtime reports a missing file as an address that cannot be assigned.
        if (!File.Exists(path))
            throw new ConnectionLostException("No such file or directory", canReconnect: true);
        UnixDomainSocketEndPoint endPoint = EndPointOf(path);
        Socket socket = ClientSocket.Create(endPoint);
        try
        {
            socket.Connect(endPoint);
            return socket;
        }
        catch (SocketException)
        {
            socket.Dispose();
            throw;
        }
    }

    private static UnixDomainSocketEndPoint EndPointOf(string path)
    {
        try
        {
            return new UnixDomainSocketEndPoint(path);
        }
        catch (ArgumentException e)
        {
            throw new CliException($"-s: '{path}' cannot be the path of a socket: {e.Message}");
        }
    }

    private static void Connect(Socket socket, EndPoint endPoint, TimeSpan timeout)
    {
        if (timeout == TimeSpan.Zero)
        {
            socket.Connect(endPoint);
            return;
        }

        using var limit = new CancellationTokenSource(timeout);
        try
        {
            socket.ConnectAsync(endPoint, limit.Token).AsTask().GetAwaiter().GetResult();
        }
        catch (OperationCanceledException)
        {
            throw new SocketException((int)SocketError.TimedOut);
        }
    }

    // A server that has vanished is noticed during a long command, too.
    private static void SetKeepAlive(Socket socket)
    {
        socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.KeepAlive, true);
        socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveTime, KeepAliveSeconds);
        socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveInterval, KeepAliveSeconds / 3);
        socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveRetryCount, 3);
    }

    private static Stream Secure(Stream stream, ConnectionOptions options)
    {
        EndPoint server = new DnsEndPoint(options.SocketPath is null ? options.Host : "localhost", options.Port);
        // A server without TLS may wait for more of what it takes for a command.
        TimeSpan patience = options.Timeout == TimeSpan.Zero ? DefaultHandshakeTime : options.Timeout;
        using var limit = new CancellationTokenSource(patience);
        try
        {
            return TlsHandshake.RunAsync(stream, options.Tls!, server, limit.Token).GetAwaiter().GetResult();
        }
        catch (OperationCanceledException)
        {
            string seconds = patience.TotalSeconds.ToString(CultureInfo.InvariantCulture);
            throw new CliException($"Could not negotiate a TLS connection: no answer within {seconds} s (-t); is TLS on at this port?");
        }
        catch (Exception e) when (e is AuthenticationException or IOException)
        {
            throw new CliException($"Could not negotiate a TLS connection: {(e.InnerException ?? e).Message}{Hint(options)}");
        }
    }

    private static string Hint(ConnectionOptions options) =>
        options.Tls!.AuthorityFile is null ? " (--cacert names the authorities to trust, --insecure trusts any)" : "";
}
