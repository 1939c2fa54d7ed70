// Asks a server over its endpoint whether it executes commands, as a client would. One use at a time.
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Text;
using Garnet.Server.Configuration;

namespace Garnet.Hosting.Health;

/// <summary>Sends PING, after AUTH where the options have a password and the endpoint is plain, and says in one line what came of it.</summary>
/// <param name="endpoint">Where to ask.</param>
/// <param name="options">The server's.</param>
/// <param name="speaksTls">Whether the endpoint does. Its certificate is not checked, so nothing secret is sent there.</param>
public sealed class ServerPing(EndPoint endpoint, GarnetOptions options, bool speaksTls = false)
{
    private const int MaxLineBytes = 4096;

    /// <summary>The endpoint that a server with these options can be reached at from its own machine: the first TCP address, else the Unix socket, else the first address with TLS.</summary>
    /// <exception cref="OptionException">The options name no endpoint.</exception>
    public static ServerPing Of(GarnetOptions options)
    {
        bool isPlain = options.Port != 0 || options.UnixSocket.Length > 0 || options.TlsPort == 0;
        return isPlain
            ? new ServerPing(Near(ListenAddress.Tcp(options).FirstOrDefault() ?? ListenAddress.All(options)[^1]), options)
            : new ServerPing(Near(ListenAddress.Tls(options)[0]), options, speaksTls: true);
    }

    /// <summary>An endpoint of a server in this process; null when it listens nowhere.</summary>
    internal static ServerPing? Of(GarnetServer server) =>
        server.EndPoints is [var first, ..] ? new ServerPing(Near(first), server.Configuration.Current, server.TlsEndPoints.Contains(first)) : null;

    /// <summary>Asks.</summary>
    /// <param name="cancellationToken">How long to wait.</param>
    public async Task<ServerPingResult> RunAsync(CancellationToken cancellationToken)
    {
        string place = ListenAddress.Text(endpoint);
        try
        {
            await using Stream stream = await OpenAsync(cancellationToken).ConfigureAwait(false);
            if (speaksTls && options.TlsAuthClients == ClientCertificates.Yes)
                return new ServerPingResult(Answers: true, IsReady: true, $"{place}: speaks TLS, and asks for a certificate");
            string reply = await AskAsync(stream, cancellationToken).ConfigureAwait(false);
            // Without the password the server does not say more, but it has answered.
            bool isReady = reply == "+PONG" || reply.StartsWith("-NOAUTH", StringComparison.Ordinal);
            return new ServerPingResult(Answers: reply.Length > 0, isReady, $"{place}: {(reply.Length == 0 ? "closes the connection" : reply[1..])}");
        }
        catch (AuthenticationException e)
        {
            // It answers, but shakes no hands with those who have no certificate.
            return new ServerPingResult(Answers: true, IsReady: false, $"{place}: {e.Message}");
        }
        catch (Exception e) when (e is SocketException or IOException)
        {
            return new ServerPingResult(Answers: false, IsReady: false, $"{place}: {e.Message}");
        }
        catch (OperationCanceledException)
        {
            return new ServerPingResult(Answers: false, IsReady: false, $"{place}: no answer in time");
        }
    }

    private async Task<Stream> OpenAsync(CancellationToken cancellationToken)
    {
        var socket = endpoint is UnixDomainSocketEndPoint
            ? new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified)
            : new Socket(endpoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            await socket.ConnectAsync(endpoint, cancellationToken).ConfigureAwait(false);
            var stream = new NetworkStream(socket, ownsSocket: true);
            if (!speaksTls)
                return stream;
            var secret = new SslStream(stream, leaveInnerStreamOpen: false, static (_, _, _, _) => true);
            await secret.AuthenticateAsClientAsync(new SslClientAuthenticationOptions { TargetHost = "localhost" }, cancellationToken).ConfigureAwait(false);
            return secret;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    // The last line counts: the reply to PING, or the first error.
    private async Task<string> AskAsync(Stream stream, CancellationToken cancellationToken)
    {
        byte[] password = Encoding.UTF8.GetBytes(options.RequirePass);
        if (password.Length > 0 && !speaksTls)
        {
            byte[] auth = [.. Encoding.ASCII.GetBytes($"*2\r\n$4\r\nAUTH\r\n${password.Length}\r\n"), .. password, .. "\r\n"u8];
            await stream.WriteAsync(auth, cancellationToken).ConfigureAwait(false);
            string answer = await ReadLineAsync(stream, cancellationToken).ConfigureAwait(false);
            if (answer != "+OK")
                return answer;
        }
        await stream.WriteAsync("*1\r\n$4\r\nPING\r\n"u8.ToArray(), cancellationToken).ConfigureAwait(false);
        return await ReadLineAsync(stream, cancellationToken).ConfigureAwait(false);
    }

    private static async Task<string> ReadLineAsync(Stream stream, CancellationToken cancellationToken)
    {
        byte[] line = new byte[MaxLineBytes];
        int length = 0;
        while (length < line.Length)
        {
            int read = await stream.ReadAsync(line.AsMemory(length), cancellationToken).ConfigureAwait(false);
            if (read == 0)
                return "";
            length += read;
            int end = line.AsSpan(0, length).IndexOf("\r\n"u8);
            if (end >= 0)
                return Encoding.UTF8.GetString(line, 0, end);
        }
        return "";
    }

    private static EndPoint Near(EndPoint endpoint) => endpoint switch
    {
        IPEndPoint ip when ip.Address.Equals(IPAddress.Any) => new IPEndPoint(IPAddress.Loopback, ip.Port),
        IPEndPoint ip when ip.Address.Equals(IPAddress.IPv6Any) => new IPEndPoint(IPAddress.IPv6Loopback, ip.Port),
        _ => endpoint,
    };
}
