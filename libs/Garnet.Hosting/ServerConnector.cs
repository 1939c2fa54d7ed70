// Connections to other servers: the primary, and targets of MIGRATE. Stateless; any thread.
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using Garnet.Client;
using Garnet.Server.Replication;

namespace Garnet.Hosting;

/// <summary>
/// TCP or, for a host that is a path, a Unix socket; with tls-replication encrypted, with the server's own certificate as the client's. As
/// in Valkey the primary's certificate must be vouched for by the authorities, whatever name it is for.
/// </summary>
internal sealed class ServerConnector : IServerConnector
{
    /// <inheritdoc/>
    public async Task<Stream> ConnectAsync(string host, int port, GarnetOptions options, CancellationToken cancellationToken)
    {
        EndPoint endPoint =
            host.StartsWith('/') ? new UnixDomainSocketEndPoint(host)
            : IPAddress.TryParse(host, out IPAddress? address) ? new IPEndPoint(address, port)
            : new DnsEndPoint(host, port);
        try
        {
            return await ClientStream
                .OpenAsync(endPoint, options.TlsReplication ? Tls(host, options) : null, cancellationToken)
                .ConfigureAwait(false);
        }
        // ArgumentException: what no name of a host can be, such as a name of 256 characters.
        catch (Exception e) when (e is SocketException or AuthenticationException or ArgumentException)
        {
            throw new IOException(e.Message, e);
        }
    }

    private static RespTlsOptions Tls(string host, GarnetOptions options) =>
        new()
        {
            HostName = host,
            AuthorityFile = NullIfEmpty(options.TlsCaCertFile),
            CertificateFile = NullIfEmpty(options.TlsCertFile),
            KeyFile = NullIfEmpty(options.TlsKeyFile),
            PfxFile = options.TlsCertFile.Length > 0 ? null : NullIfEmpty(options.TlsPfxFile),
            KeyPassword = NullIfEmpty(options.TlsKeyPassword),
            Configure = static settings =>
                settings.RemoteCertificateValidationCallback = static (_, _, _, errors) =>
                    (errors & ~SslPolicyErrors.RemoteCertificateNameMismatch) == SslPolicyErrors.None,
        };

    private static string? NullIfEmpty(string text) => text.Length == 0 ? null : text;
}
