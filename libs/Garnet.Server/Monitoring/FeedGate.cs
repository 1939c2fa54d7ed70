// Clients that are replicas or monitors. Stateless.
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;

namespace Garnet.Server.Monitoring;

/// <summary>Refuses them commands on keys, whose replies would stand among what they are sent; raised for each of these clients.</summary>
internal sealed class FeedGate() : Gate(GateMask.Feed)
{
    /// <inheritdoc/>
    public override bool Concerns(in CommandNeeds needs) => needs.MayHaveEffects || needs.Has(CommandFlags.ReadOnly);

    /// <inheritdoc/>
    public override GateAnswer Ask(ref CommandContext request) =>
        request.Client.Output.Class == OutputClass.Replica || request.Client.Modes.IsMonitor
            ? RefusalKind.FromReplica
            : default(GateAnswer);
}
