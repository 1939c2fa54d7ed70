// Writes on a replica. Stateless.
using Garnet.Server.CommandModel;
using Garnet.Server.Configuration;
using Garnet.Server.Execution;

namespace Garnet.Server.Replication;

/// <summary>Refuses writes on a replica, unless replica-read-only is no.</summary>
internal sealed class ReadOnlyGate(ServerReplication replication, ServerConfiguration configuration) : Gate(GateMask.ReadOnly)
{
    /// <inheritdoc/>
    public override bool Concerns(in CommandNeeds needs) => needs.Writes;

    /// <inheritdoc/>
    public override GateAnswer Ask(ref CommandContext request) =>
        replication.IsReplica && configuration.Current.ReplicaReadOnly ? RefusalKind.ReadOnlyReplica : default(GateAnswer);
}
