// The transports. Immutable, any thread.
namespace Garnet;

/// <summary>The transport of connections.</summary>
public enum TransportKind
{
    /// <summary>Dedicated I/O threads with epoll; Linux only.</summary>
    Epoll,

    /// <summary>The runtime's sockets on the thread pool; every system.</summary>
    Sockets,
}
