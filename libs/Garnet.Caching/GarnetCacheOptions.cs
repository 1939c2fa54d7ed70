// Where a cache keeps its entries. Set at start, then only read.
using System.Net;
using Garnet.Client;

namespace Garnet.Caching;

/// <summary>
/// The settings of a cache: in the server of this process (the default), or in one that is reached by RESP when <see cref="EndPoint"/> or
/// <see cref="Connection"/> says so.
/// </summary>
public class GarnetCacheOptions
{
    private const string UnixPrefix = "unix:";

    /// <summary>Stands before every key, so that several applications can share a server.</summary>
    public string InstanceName { get; set; } = "";

    /// <summary>The logical database.</summary>
    public int Database { get; set; }

    /// <summary>The name of the server in this process, when there are several; the unnamed one when null.</summary>
    public string? ServerName { get; set; }

    /// <summary>
    /// A server to connect to: <c>host:port</c>, <c>host</c> (port 6379) or <c>unix:/path</c>. In this process when null.
    /// </summary>
    public string? EndPoint { get; set; }

    /// <summary>The user for <see cref="EndPoint"/>; the default user when null.</summary>
    public string? User { get; set; }

    /// <summary>The password for <see cref="EndPoint"/>; none when null.</summary>
    public string? Password { get; set; }

    /// <summary>Whether TLS is spoken at <see cref="EndPoint"/>.</summary>
    public bool UseTls { get; set; }

    /// <summary>
    /// Whom to believe under <see cref="UseTls"/>, and what to show; as it is, the host's name is checked and the system's authorities are
    /// believed.
    /// </summary>
    public RespTlsOptions Tls { get; } = new();

    /// <summary>All there is to say about a connection (timeouts, too), in place of <see cref="EndPoint"/>.</summary>
    public RespMultiplexerOptions? Connection { get; set; }

    internal bool IsRemote => EndPoint is not null || Connection is not null;

    /// <summary>What is wrong with the settings, one line each.</summary>
    internal IEnumerable<string> Problems()
    {
        if (InstanceName is null)
            yield return $"{nameof(InstanceName)} must not be null; leave it empty for none.";
        if (Database < 0)
            yield return $"{nameof(Database)} is {Database}; it must be 0 or more.";
        if (EndPoint is not null && Connection is not null)
            yield return $"{nameof(EndPoint)} and {nameof(Connection)} exclude each other; set one.";
        if (EndPoint is not null && !TryParse(EndPoint, out _))
            yield return $"{nameof(EndPoint)} is '{EndPoint}'; it must be host:port, host or unix:/path.";
        if (IsRemote && ServerName is not null)
            yield return $"{nameof(ServerName)} names a server in this process, and {nameof(EndPoint)} or {nameof(Connection)} one elsewhere; set one.";
        if (EndPoint is null && (User is not null || Password is not null))
            yield return $"{nameof(User)} and {nameof(Password)} are for {nameof(EndPoint)}, which is not set.";
        if (Password is null && User is not null)
            yield return $"{nameof(User)} is set without {nameof(Password)}.";
        if (Connection is not null && Database != 0 && Connection.Database != Database)
            yield return $"{nameof(Database)} is {Database}, and {nameof(Connection)} says {Connection.Database}.";
        foreach (string problem in Connection?.Problems() ?? [])
            yield return $"{nameof(Connection)}.{problem}";
        if (UseTls && EndPoint is null)
            yield return $"{nameof(UseTls)} is for {nameof(EndPoint)}, which is not set.";
        if (!UseTls && Tls.IsFilled)
            yield return $"{nameof(Tls)} is filled in without {nameof(UseTls)}; set that to true.";
        if (UseTls && Tls.HostName is null && EndPoint?.StartsWith(UnixPrefix, StringComparison.Ordinal) == true)
            yield return $"{nameof(Tls)}.{nameof(Tls.HostName)} must say whose certificate is expected behind a Unix socket.";
        foreach (string problem in UseTls ? Tls.Problems() : [])
            yield return $"{nameof(Tls)}.{problem}";
    }

    /// <summary>The connection's settings.</summary>
    internal RespMultiplexerOptions ConnectionOptions()
    {
        if (Connection is not null)
            return Connection;
        TryParse(EndPoint!, out EndPoint? endpoint);
        return new RespMultiplexerOptions
        {
            EndPoint = endpoint!,
            User = User,
            Password = Password,
            Database = Database,
            ClientName = "garnet-cache",
            Tls = UseTls ? Tls : null,
        };
    }

    private static bool TryParse(string text, out EndPoint? endpoint)
    {
        const int DefaultPort = 6379;
        endpoint = null;
        if (text.StartsWith(UnixPrefix, StringComparison.Ordinal))
        {
            if (text.Length > UnixPrefix.Length)
                endpoint = new System.Net.Sockets.UnixDomainSocketEndPoint(text[UnixPrefix.Length..]);
            return endpoint is not null;
        }

        if (IPEndPoint.TryParse(text, out IPEndPoint? address))
        {
            endpoint = address.Port == 0 ? new IPEndPoint(address.Address, DefaultPort) : address;
            return true;
        }

        int colon = text.LastIndexOf(':');
        string host = colon < 0 ? text : text[..colon];
        int port = DefaultPort;
        if (
            Uri.CheckHostName(host) == UriHostNameType.Unknown
            || (colon >= 0 && !(int.TryParse(text.AsSpan(colon + 1), out port) && port is > 0 and <= ushort.MaxValue))
        )
        {
            return false;
        }

        endpoint = new DnsEndPoint(host, port);
        return true;
    }
}
