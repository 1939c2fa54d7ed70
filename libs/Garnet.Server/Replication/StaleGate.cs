// A replica whose data may be old. Stateless.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;

namespace Garnet.Server.Replication;

/// <summary>
/// Refuses what depends on the data while the link to the primary is down, unless replica-serve-stale-data is yes.
/// </summary>
internal sealed class StaleGate(ServerReplication replication) : Gate(GateMask.Stale)
{
    /// <inheritdoc/>
    public override bool Concerns(in CommandNeeds needs) => !needs.Has(CommandFlags.Stale);

    /// <inheritdoc/>
    public override GateAnswer Ask(ref CommandContext request) => replication.IsStale ? RefusalKind.PrimaryDown : default(GateAnswer);
}
