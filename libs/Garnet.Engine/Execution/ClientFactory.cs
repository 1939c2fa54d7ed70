// Makes the clients of a server. Thread-safe.
using Garnet.Engine.Clients;
using Garnet.Engine.Rules;

namespace Garnet.Engine.Execution;

/// <summary>Gives each client its parts and a number of its own.</summary>
internal sealed class ClientFactory(ClientParts parts)
{
    private long _lastId;

    /// <summary>Runs the commands of all clients.</summary>
    public Executor Executor => parts.Executor;

    /// <summary>An identifier that no client has had.</summary>
    public long NextId() => Interlocked.Increment(ref _lastId);

    /// <summary>Makes a client; the caller owns it.</summary>
    /// <param name="connection">How it is reached.</param>
    /// <param name="id">Its identifier; 0 for one that is not shown.</param>
    /// <param name="origin">Where its commands come from.</param>
    public ClientSession Open(IClientConnection connection, long id, Origin origin) => new(parts, connection, id) { Origin = origin };
}
