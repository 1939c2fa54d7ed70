// Options of the connection. Filled by one thread, then only read.
using Garnet.Client;

namespace Garnet.Bench.Options;

/// <summary>Where the server is, and how to log in.</summary>
internal sealed class TargetOptions
{
    /// <summary>Host name or address.</summary>
    public string Host { get; set; } = "127.0.0.1";

    /// <summary>TCP port.</summary>
    public int Port { get; set; } = 6379;

    /// <summary>Path of a Unix socket, instead of host and port.</summary>
    public string? UnixSocket { get; set; }

    /// <summary>User name, or null for the default user.</summary>
    public string? User { get; set; }

    /// <summary>Password, or null to not log in.</summary>
    public string? Password { get; set; }

    /// <summary>Number of the database.</summary>
    public int Database { get; set; }

    /// <summary>Whether connections use TLS.</summary>
    public bool UsesTls { get; set; }

    /// <summary>Whether the server's certificate may be anybody's.</summary>
    public bool SkipsVerification { get; set; }

    /// <summary>TLS settings.</summary>
    public RespTlsOptions Tls { get; } = new();

    /// <summary>Whether connections speak RESP3.</summary>
    public bool UsesResp3 { get; set; }

    /// <summary>A second server to compare with, or null.</summary>
    public string? Against { get; set; }

    /// <summary>How long a connection may take, including TLS.</summary>
    public TimeSpan ConnectTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>How long a reply may take from the moment at which it is the next one.</summary>
    public TimeSpan ReplyTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>The server's process, whose processor time is read; null to ask the server.</summary>
    public int? ServerProcess { get; set; }
}
