// The settings of a server about where it listens; see GarnetOptions.cs.
using Garnet.Store;

namespace Garnet;

public sealed partial class GarnetOptions
{
    /// <summary>The zone of the server, reported to clients that prefer a near one; empty for none.</summary>
    public string AvailabilityZone { get; set; } = "";

    /// <summary>TCP port, 0 to 65535; 0 opens no TCP endpoint.</summary>
    public int Port { get; set; } = 6379;

    /// <summary>
    /// Addresses to listen on; <c>*</c> is every IPv4 address, <c>::*</c> every IPv6 address, and a leading <c>-</c> tolerates an address
    /// that this machine lacks.
    /// </summary>
    public IReadOnlyList<string> Bind { get; set; } = ["*", "-::*"];

    /// <summary>Path of a Unix socket to listen on; empty for none. A relative path is relative to <see cref="Dir"/>.</summary>
    public string UnixSocket { get; set; } = "";

    /// <summary>File mode of the Unix socket; 0 leaves it to the process's umask.</summary>
    public int UnixSocketPermissions { get; set; }

    /// <summary>Group that owns the Unix socket's file; empty leaves it to the system. Not on Windows.</summary>
    public string UnixSocketGroup { get; set; } = "";

    /// <summary>Length of the queue of connections that the system has accepted and the server has not.</summary>
    public int TcpBacklog { get; set; } = 511;

    /// <summary>Time between probes of a silent peer, rounded up to seconds; zero sends none.</summary>
    public TimeSpan TcpKeepAlive
    {
        get => TimeSpan.FromSeconds(TcpKeepAliveSeconds);
        set => TcpKeepAliveSeconds = (int)Units(value, TimeSpan.TicksPerSecond, int.MaxValue);
    }

    internal int TcpKeepAliveSeconds { get; set; } = 300;

    /// <summary>The transport of connections.</summary>
    public TransportKind Transport { get; set; } = HostSystem.IsLinux ? TransportKind.Epoll : TransportKind.Sockets;
}
