// Writes that too few replicas would have. Stateless.
using Garnet.Engine.Execution;
using Garnet.Engine.Rules;

namespace Garnet.Server.Replication;

/// <summary>Refuses writes while fewer replicas than min-replicas-to-write are up to date.</summary>
internal sealed class ReplicasGate(ServerReplication replication) : Gate(GateMask.Replicas)
{
    /// <inheritdoc/>
    public override bool Concerns(in CommandNeeds needs) => needs.Writes;

    /// <inheritdoc/>
    public override GateAnswer Ask(ref CommandContext request) => replication.LacksReplicas ? RefusalKind.NoReplicas : default(GateAnswer);
}
