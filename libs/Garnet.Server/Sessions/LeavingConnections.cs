// Connections whose session has ended while the network had not yet taken all replies. Thread-safe.
using System.Collections.Concurrent;
using Garnet.Server.Configuration;

namespace Garnet.Server.Sessions;

/// <summary>
/// A peer that ends its side and does not read keeps its connection for as long as the transport waits for it. It is no client any more,
/// but a server that stops must know of it. There are no more of them than maxclients: beyond that a connection is aborted, and its replies
/// with it, so that peers who never read cannot hold more than that many.
/// </summary>
internal sealed class LeavingConnections(ServerConfiguration configuration)
{
    private int _count;

    private readonly ConcurrentDictionary<IClientConnection, bool> _connections = new();

    /// <summary>The connections, as they come and go.</summary>
    public IEnumerable<IClientConnection> All => _connections.Select(static pair => pair.Key);

    /// <summary>Notes a connection without a session until it has ended, unless nothing is left to be sent.</summary>
    internal void Add(IClientConnection connection)
    {
        if (connection.UnsentBytes == 0)
            return;
        if (Interlocked.Increment(ref _count) > configuration.Current.MaxClients)
        {
            Interlocked.Decrement(ref _count);
            connection.Abort();
            return;
        }

        _connections.TryAdd(connection, true);
        // Also when it has ended already: then this takes it out at once.
        connection.Closed.UnsafeRegister(
            static (state, _) =>
            {
                (LeavingConnections leaving, IClientConnection left) = ((LeavingConnections, IClientConnection))state!;
                if (leaving._connections.TryRemove(left, out bool _))
                    Interlocked.Decrement(ref leaving._count);
            },
            (this, connection)
        );
    }
}
