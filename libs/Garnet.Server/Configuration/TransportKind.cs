// Names the ways bytes reach a session. Immutable, any thread.
namespace Garnet.Server.Configuration;

/// <summary>Where connections' bytes come from.</summary>
public enum TransportKind
{
    /// <summary>Own I/O threads over epoll; Linux only.</summary>
    Epoll,

    /// <summary>The runtime's sockets on the thread pool; every system.</summary>
    Sockets,
}
