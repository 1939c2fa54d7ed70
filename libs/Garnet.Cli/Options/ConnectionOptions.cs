// Where and how to connect. Set while the options are read, then by CONNECT and redirections; one thread.
using System.Net.Sockets;
using Garnet.Client;

namespace Garnet.Cli.Options;

/// <summary>A server's address, how to reach it, and who asks.</summary>
internal sealed class ConnectionOptions
{
    /// <summary>The port of servers that speak RESP.</summary>
    public const int DefaultPort = 6379;

    private const string DefaultHost = "127.0.0.1";

    /// <summary>The server's name or address.</summary>
    public string Host { get; set; } = DefaultHost;

    /// <summary>Its TCP port.</summary>
    public int Port { get; set; } = DefaultPort;

    /// <summary>Path of a Unix socket, which is used instead of host and port; or null.</summary>
    public string? SocketPath { get; set; }

    /// <summary>The service whose primary is looked up with Sentinel before each connection; or null.</summary>
    public SentinelService? Sentinel { get; set; }

    /// <summary>How long connecting may take; zero for as long as the operating system tries.</summary>
    public TimeSpan Timeout { get; set; }

    /// <summary>The family that a name is resolved to; unspecified for any.</summary>
    public AddressFamily Family { get; set; } = AddressFamily.Unspecified;

    /// <summary>The user; null for the default one.</summary>
    public string? User { get; set; }

    /// <summary>The password; null for none.</summary>
    public string? Password { get; set; }

    /// <summary>The database to select.</summary>
    public int Database { get; set; }

    /// <summary>The protocol to switch to: 2, 3, or 0 for what the server begins with.</summary>
    public int Protocol { get; set; }

    /// <summary>Whether the protocol is a must (-3), or only wished for, as by --json.</summary>
    public bool RequiresProtocol { get; set; }

    /// <summary>TLS, or null for none.</summary>
    public RespTlsOptions? Tls { get; set; }

    /// <summary>Stores what a URI says, and leaves the rest.</summary>
    /// <exception cref="CliException">It is none.</exception>
    public void Apply(string text)
    {
        ServerUri uri;
        try
        {
            uri = ServerUri.Parse(text);
        }
        catch (FormatException e)
        {
            throw new CliException(e.Message);
        }

        Host = uri.Host ?? Host;
        Port = uri.Port ?? Port;
        SocketPath = uri.SocketPath ?? SocketPath;
        User = uri.User ?? User;
        Password = uri.Password ?? Password;
        Database = uri.Database ?? Database;
        if (uri.UsesTls)
            Tls ??= new RespTlsOptions();
        if (uri.Service is { } service)
        {
            (string, int)[] sentinels =
            [
                .. uri.Sentinels.Select(static each => (each.Host ?? DefaultHost, each.Port ?? SentinelService.DefaultPort)),
            ];
            Sentinel = new SentinelService(sentinels, service);
        }
    }

    /// <summary>The address as people write it.</summary>
    public string Address => SocketPath ?? (Host.Contains(':', StringComparison.Ordinal) ? $"[{Host}]:{Port}" : $"{Host}:{Port}");
}
