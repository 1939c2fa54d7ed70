// Options of the transports. Read when a transport, listener or connection is created; not changed afterwards.
namespace Garnet.Network;

/// <summary>The options of a transport; the same for every transport.</summary>
internal sealed class TransportOptions
{
    /// <summary>
    /// Number of I/O threads (epoll) or serial queues (sockets). 0 leaves the choice to the transport: one thread, or one queue per
    /// processor up to 16.
    /// </summary>
    public int IoThreads { get; set; } = 1;

    /// <summary>Length of the kernel's queue of connections not yet accepted (tcp-backlog).</summary>
    public int Backlog { get; set; } = 511;

    /// <summary>Seconds of silence before the kernel probes a TCP peer (tcp-keepalive); 0 turns probing off.</summary>
    public int TcpKeepAliveSeconds { get; set; } = 300;

    /// <summary>Sends small segments at once (TCP_NODELAY).</summary>
    public bool NoDelay { get; set; } = true;

    /// <summary>Permissions of a Unix socket's file (unixsocketperm); null leaves them to the umask.</summary>
    public UnixFileMode? UnixSocketMode { get; set; }

    /// <summary>Number of the group that owns a Unix socket's file (unixsocketgroup); null leaves it to the system.</summary>
    public uint? UnixSocketGroup { get; set; }

    /// <summary>Whether [::] also accepts IPv4 connections. False as in Valkey, where 0.0.0.0 and [::] are bound side by side.</summary>
    public bool DualMode { get; set; }

    /// <summary>
    /// Bytes received from one connection before the next ready one gets its turn; also the size of each thread's receive buffer.
    /// 64 KiB holds a pipeline of a thousand small commands, stays in the second-level cache, and costs one buffer a thread.
    /// </summary>
    public int ReceiveBytesPerTurn { get; set; } = 64 * 1024;

    /// <summary>Bytes sent to one connection before the next ready one gets its turn (large values and long backlogs only).</summary>
    public int SendBytesPerTurn { get; set; } = 1024 * 1024;

    /// <summary>How long a closed session's unsent replies may keep its socket open.</summary>
    public int CloseDrainTimeoutMs { get; set; } = 5000;
}
