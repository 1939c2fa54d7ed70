// Connections whose session has ended while the network had not yet taken all replies. Thread-safe.
using System.Collections.Concurrent;
using Garnet.Engine.Clients;
using Garnet.Server.Configuration;

namespace Garnet.Server.Sessions;

/// <summary>
/// A peer that closes its sending side and does not read keeps its connection for as long as the transport waits for it. It is no longer a
/// client, but a server that stops must know of it. At most maxclients of them are kept; further connections are aborted together with
/// their replies, so that the number of connections held by peers that never read is bounded.
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
        // If it has already ended, the callback runs at once and removes it again.
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
