// What links to primaries are made of. Immutable.
using Garnet.Engine.Clients;
using Garnet.Engine.Counters;
using Garnet.Engine.Execution;
using Garnet.Server.Basics;
using Garnet.Server.Configuration;
using Garnet.Server.Persistence;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Replication;

/// <summary>Makes the parts of a <see cref="PrimaryLink"/>: its connections, what it applies, what it loads.</summary>
/// <param name="Connector">Opens connections to other servers; null where there is no network.</param>
/// <param name="Clients">What runs the commands of the stream.</param>
/// <param name="Replication">The stream and its history.</param>
/// <param name="Persistence">What loads a snapshot; the log.</param>
/// <param name="Blocked">Clients that wait for keys, which a snapshot may bring.</param>
/// <param name="Configuration">The options.</param>
/// <param name="Identity">Names temporary files.</param>
/// <param name="Host">What the server listens on.</param>
/// <param name="Statistics">Counts errors of the stream.</param>
/// <param name="Clock">The clock.</param>
/// <param name="Log">For log messages.</param>
internal sealed record PrimaryLinkParts(
    IServerConnector? Connector,
    ClientFactory Clients,
    ServerReplication Replication,
    ServerPersistence Persistence,
    BlockedClients Blocked,
    ServerConfiguration Configuration,
    ServerIdentity Identity,
    IHostFigures Host,
    ServerStatistics Statistics,
    ServerClock Clock,
    ILogger Log
)
{
    /// <summary>Connects to a primary; nothing is sent yet.</summary>
    /// <exception cref="IOException">There is no network, or no connection.</exception>
    public async Task<PrimaryConnection> ConnectAsync(string host, int port, CancellationToken cancel)
    {
        if (Connector is null)
            throw new IOException("There is no network here.");
        Stream stream = await Connector.ConnectAsync(host, port, Configuration.Current, cancel).ConfigureAwait(false);
        return new PrimaryConnection(Clock, Replication, Persistence, stream);
    }

    /// <summary>Introduces the server to its primary.</summary>
    public PrimaryHandshake NewHandshake(PrimaryConnection connection) => new(Configuration, Log, Host, connection);

    /// <summary>Applies the stream of a primary.</summary>
    public StreamApplier NewApplier(string primary) => new(Clients, Replication, Persistence, Statistics, Clock, Log, primary);

    /// <summary>Loads the snapshot that a connection brings.</summary>
    public ReplicaLoad NewLoad(PrimaryConnection connection, PayloadStream payload, CancellationToken stopped) =>
        new(Replication, Persistence, Configuration, Identity, Blocked, Log, connection, payload, stopped);
}
