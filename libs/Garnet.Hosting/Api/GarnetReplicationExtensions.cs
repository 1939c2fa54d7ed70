// Reads from a replica in this process that see an earlier write at the primary. Stateless; any thread.
using Garnet.Client;
using Garnet.Server.Replication;

namespace Garnet;

/// <summary>The same as <see cref="RespReplicationExtensions"/> for a server in this process.</summary>
public static class GarnetReplicationExtensions
{
    /// <summary>The place of the last write in the server's history.</summary>
    /// <exception cref="InvalidOperationException">The server keeps no history, because it has never had a replica.</exception>
    public static ReplicationToken GetReplicationToken(this GarnetServer server)
    {
        ArgumentNullException.ThrowIfNull(server);
        ServerReplication replication = server.Resp.Replication;
        if (!replication.Effects.IsReplicating)
            throw new InvalidOperationException("The server keeps no history, because no replica has connected to it yet.");
        return new ReplicationToken(replication.History.Id, replication.Effects.Stream.Position);
    }

    /// <summary>Completes when the server has applied what a token stands for; at once on the primary that it comes from.</summary>
    /// <param name="server">The server, usually a replica.</param>
    /// <param name="token">From the primary.</param>
    /// <param name="timeout">How long to wait.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="TimeoutException">The server has not applied it in time.</exception>
    /// <exception cref="InvalidOperationException">The server's data is the result of another history.</exception>
    public static Task ReadAfterAsync(
        this GarnetServer server,
        ReplicationToken token,
        TimeSpan timeout,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(server);
        return server.Freshness.WaitAsync(token.History, token.Position, timeout, cancellationToken);
    }
}
