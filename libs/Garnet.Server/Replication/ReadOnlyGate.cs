// Writes on a replica. Stateless.
using Garnet.Engine.Execution;
using Garnet.Engine.Rules;
using Garnet.Server.Configuration;

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
