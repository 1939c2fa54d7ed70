// Where a cache keeps its entries. Set at start, then only read.
using System.ComponentModel;
using System.Net;
using System.Net.Sockets;
using Garnet.Client;
using Microsoft.Extensions.Configuration;

namespace Garnet.Caching;

/// <summary>
/// The settings of a cache, which uses the server in this process by default, or a remote one over RESP if <see cref="EndPoint"/>,
/// <see cref="Address"/> or <see cref="Connection"/> is set.
/// </summary>
public class GarnetCacheOptions
{
    /// <summary>Prefix of every key, so that several applications can share a server.</summary>
    public string InstanceName { get; set; } = "";

    /// <summary>The logical database.</summary>
    public int Database { get; set; }

    /// <summary>The name of the server in this process, if there are several; null for the unnamed one.</summary>
    public string? ServerName { get; set; }

    /// <summary>A server to connect to; null for the one in this process.</summary>
    public EndPoint? EndPoint { get; set; }

    /// <summary>
    /// Receives the key <c>EndPoint</c> of a configuration, so that it can be refused: the binder would silently ignore text for
    /// <see cref="EndPoint"/>, and the cache would stay in this process. Text belongs in <see cref="Address"/>.
    /// </summary>
    [ConfigurationKeyName(nameof(EndPoint))]
    [EditorBrowsable(EditorBrowsableState.Never)]
    public string? EndPointText { get; set; }

    /// <summary>
    /// <see cref="EndPoint"/> as text, for settings that come from a file: <c>host:port</c>, <c>host</c> (port 6379) or <c>unix:/path</c>.
    /// </summary>
    public string? Address { get; set; }

    /// <summary>The user for <see cref="EndPoint"/>; the default user when null.</summary>
    public string? User { get; set; }

    /// <summary>The password for <see cref="EndPoint"/>; none when null.</summary>
    public string? Password { get; set; }

    /// <summary>Whether to use TLS with <see cref="EndPoint"/>.</summary>
    public bool UseTls { get; set; }

    /// <summary>
    /// TLS settings used with <see cref="UseTls"/>. By default the host name is checked, and the system's certificate authorities are
    /// trusted.
    /// </summary>
    public RespTlsOptions Tls { get; } = new();

    /// <summary>All settings of the connection, timeouts among them, instead of <see cref="EndPoint"/>.</summary>
    public RespMultiplexerOptions? Connection { get; set; }

    internal bool IsRemote => EndPoint is not null || Address is not null || Connection is not null;

    private bool HasServer => EndPoint is not null || Address is not null;

    private EndPoint? Server => EndPoint ?? (RespEndPoint.TryParse(Address, out EndPoint? endPoint) ? endPoint : null);

    /// <summary>What is wrong with the settings: one line per problem.</summary>
    internal virtual IEnumerable<string> Problems()
    {
        if (EndPointText is not null)
        {
            yield return $"{nameof(EndPoint)} is '{EndPointText}' in the configuration; call that setting {nameof(Address)}.";
            // The other checks would only repeat this problem.
            yield break;
        }

        if (InstanceName is null)
            yield return $"{nameof(InstanceName)} must not be null; leave it empty for none.";
        if (Database < 0)
            yield return $"{nameof(Database)} is {Database}; it must be 0 or more.";
        if (EndPoint is not null && Connection is not null)
            yield return $"{nameof(EndPoint)} and {nameof(Connection)} exclude each other; set one.";
        if (EndPoint is not null && Address is not null)
            yield return $"{nameof(EndPoint)} and {nameof(Address)} exclude each other; set one.";
        if (Address is not null && Connection is not null)
            yield return $"{nameof(Address)} and {nameof(Connection)} exclude each other; set one.";
        if (Address is not null && !RespEndPoint.TryParse(Address, out _))
            yield return $"{nameof(Address)} is '{Address}'; it must be host:port, host or unix:/path.";
        if (IsRemote && ServerName is not null)
            yield return $"{nameof(ServerName)} names a server in this process, and {nameof(EndPoint)}, {nameof(Address)} or {nameof(Connection)} one elsewhere; set one.";
        if (!HasServer && (User is not null || Password is not null))
            yield return $"{nameof(User)} and {nameof(Password)} are for {nameof(EndPoint)}, which is not set.";
        if (Password is null && User is not null)
            yield return $"{nameof(User)} is set without {nameof(Password)}.";
        if (Connection is not null && Database != 0 && Connection.Database != Database)
            yield return $"{nameof(Database)} is {Database}, and {nameof(Connection)} says {Connection.Database}.";
        foreach (string problem in Connection?.Problems() ?? [])
            yield return $"{nameof(Connection)}.{problem}";
        if (UseTls && !HasServer)
            yield return $"{nameof(UseTls)} is for {nameof(EndPoint)}, which is not set.";
        if (!UseTls && Tls.HasAnySetting)
            yield return $"{nameof(Tls)} is filled in without {nameof(UseTls)}; set that to true.";
        if (UseTls && Tls.HostName is null && Server is UnixDomainSocketEndPoint)
            yield return $"{nameof(Tls)}.{nameof(Tls.HostName)} must say whose certificate is expected behind a Unix socket.";
        foreach (string problem in UseTls ? Tls.Problems() : [])
            yield return $"{nameof(Tls)}.{problem}";
    }

    /// <summary>The connection's settings.</summary>
    internal RespMultiplexerOptions ConnectionOptions()
    {
        if (Connection is not null)
            return Connection;
        return new RespMultiplexerOptions
        {
            EndPoint = Server!,
            User = User,
            Password = Password,
            Database = Database,
            ClientName = "garnet-cache",
            Tls = UseTls ? Tls : null,
        };
    }
}
