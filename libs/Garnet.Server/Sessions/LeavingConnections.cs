// Connections whose session has ended while the network had not yet taken all replies. Thread-safe.
using System.Collections.Concurrent;

namespace Garnet.Server.Sessions;

/// <summary>
/// A peer that ends its side and does not read keeps its connection for as long as the transport waits for it. It is no client any more,
/// but a server that stops must know of it.
/// </summary>
internal sealed class LeavingConnections
{
    private readonly ConcurrentDictionary<IClientConnection, bool> _connections = new();

    /// <summary>The connections, as they come and go.</summary>
    public IEnumerable<IClientConnection> All => _connections.Select(static pair => pair.Key);

    /// <summary>Notes a connection without a session until it has ended, unless nothing is left to be sent.</summary>
    internal void Add(IClientConnection connection)
    {
        if (connection.UnsentBytes == 0)
            return;
        _connections.TryAdd(connection, true);
        // Also when it has ended already: then this takes it out at once.
        connection.Closed.UnsafeRegister(
            static (state, _) =>
            {
                (LeavingConnections leaving, IClientConnection left) = ((LeavingConnections, IClientConnection))state!;
                leaving._connections.TryRemove(left, out bool _);
            },
            (this, connection)
        );
    }
}
