// Asks a server over its endpoint whether it executes commands, as a client would. One use at a time.
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Garnet.Hosting.Tls;

namespace Garnet.Hosting.Health;

/// <summary>Sends PING, after AUTH where the options have a password, and reports the result in one line.</summary>
/// <param name="endpoint">Where to ask.</param>
/// <param name="options">The server's.</param>
/// <param name="speaksTls">
/// Whether the endpoint does. The password is sent there only if the server shows the certificate that the options name.
/// </param>
/// <param name="certificate">What the client shows to a server that asks for a certificate; null when it has none.</param>
internal sealed class ServerPing(EndPoint endpoint, GarnetOptions options, bool speaksTls = false, X509Certificate2? certificate = null)
{
    private const int MaxLineBytes = 4096;

    /// <summary>
    /// The endpoint that a server with these options can be reached at from its own machine: the first TCP address, else the Unix socket,
    /// else the first address with TLS.
    /// </summary>
    /// <param name="options">The server's.</param>
    /// <param name="certificate">As for the constructor.</param>
    /// <exception cref="OptionException">The options name no endpoint.</exception>
    public static ServerPing Of(GarnetOptions options, X509Certificate2? certificate = null)
    {
        bool isPlain = options.Port != 0 || options.UnixSocket.Length > 0 || options.TlsPort == 0;
        return isPlain
            ? new ServerPing(Near(ListenAddress.Tcp(options).FirstOrDefault() ?? ListenAddress.All(options)[^1]), options)
            : new ServerPing(Near(ListenAddress.Tls(options)[0]), options, speaksTls: true, certificate);
    }

    /// <summary>An endpoint of a server in this process; null when it listens nowhere.</summary>
    internal static ServerPing? Of(GarnetServer server) =>
        server.EndPoints is [var first, ..]
            ? new ServerPing(Near(first), server.Configuration.Current, server.TlsEndPoints.Contains(first))
            : null;

    /// <summary>Asks.</summary>
    /// <param name="cancellationToken">How long to wait.</param>
    public async Task<ServerPingResult> RunAsync(CancellationToken cancellationToken)
    {
        string place = ListenAddress.Text(endpoint);
        try
        {
            // A handshake without one would fail, and stand in the server's log and metrics: whether it accepts connections must do.
            if (speaksTls && options.TlsAuthClients == ClientCertificates.Yes && certificate is null)
            {
                (await ConnectAsync(cancellationToken).ConfigureAwait(false)).Dispose();
                return new ServerPingResult(
                    Answers: true,
                    IsReady: false,
                    $"{place}: asks for a client certificate: give --cert and --key, or a port or unixsocket without TLS"
                );
            }

            await using Stream stream = await OpenAsync(cancellationToken).ConfigureAwait(false);
            string reply = await AskAsync(stream, cancellationToken).ConfigureAwait(false);
            string remedy = reply.StartsWith("-NOAUTH", StringComparison.Ordinal) ? " " + PasswordRemedy() : "";
            return new ServerPingResult(
                Answers: reply.Length > 0,
                reply == "+PONG",
                $"{place}: {(reply.Length == 0 ? "closes the connection" : reply[1..])}{remedy}"
            );
        }
        catch (AuthenticationException e)
        {
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

    private string PasswordRemedy() =>
        options.Password.Length == 0
            ? "Give --requirepass, GARNET_REQUIREPASS, or the server's configuration file."
            : "The password is not sent to a server that shows another certificate than the options name.";

    private async Task<Socket> ConnectAsync(CancellationToken cancellationToken)
    {
        Socket socket =
            endpoint is UnixDomainSocketEndPoint
                ? new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified)
                : new Socket(endpoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            await socket.ConnectAsync(endpoint, cancellationToken).ConfigureAwait(false);
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private async Task<Stream> OpenAsync(CancellationToken cancellationToken)
    {
        Socket socket = await ConnectAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            var stream = new NetworkStream(socket, ownsSocket: true);
            if (!speaksTls)
                return stream;
            var secret = new SslStream(stream, leaveInnerStreamOpen: false, static (_, _, _, _) => true);
            var authentication = new SslClientAuthenticationOptions { TargetHost = "localhost" };
            if (certificate is not null)
            {
                authentication.ClientCertificateContext = SslStreamCertificateContext.Create(
                    certificate,
                    additionalCertificates: null,
                    offline: true
                );
            }

            await secret.AuthenticateAsClientAsync(authentication, cancellationToken).ConfigureAwait(false);
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
        byte[] password = Encoding.UTF8.GetBytes(options.Password);
        if (password.Length > 0 && (!speaksTls || IsOwnServer((SslStream)stream)))
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

    // The options are the server's, so its certificate is known without asking who signed it.
    private bool IsOwnServer(SslStream stream)
    {
        try
        {
            TlsMaterial material = new TlsFiles(options).Load(DateTimeOffset.UtcNow);
            return stream.RemoteCertificate is X509Certificate2 shown
                && shown.RawDataMemory.Span.SequenceEqual(material.Certificate.RawDataMemory.Span);
        }
        catch (OptionException)
        {
            // The files cannot be read from here; then nothing secret is sent.
            return false;
        }
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

    private static EndPoint Near(EndPoint endpoint) =>
        endpoint switch
        {
            IPEndPoint ip when ip.Address.Equals(IPAddress.Any) => new IPEndPoint(IPAddress.Loopback, ip.Port),
            IPEndPoint ip when ip.Address.Equals(IPAddress.IPv6Any) => new IPEndPoint(IPAddress.IPv6Loopback, ip.Port),
            _ => endpoint,
        };
}
