// RESP2 clients with subscriptions. Stateless.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;

namespace Garnet.Server.Messaging;

/// <summary>Refuses them what has replies that they could not tell from messages; raised for each of these clients.</summary>
internal sealed class SubscriberGate() : Gate(GateMask.Subscriber)
{
    /// <inheritdoc/>
    public override bool Concerns(in CommandNeeds needs) => !needs.Has(CommandTraits.ForSubscribers);

    /// <inheritdoc/>
    public override GateAnswer Ask(ref CommandContext request) =>
        request.Client.Output.TakesOnlySubscriptions ? RefusalKind.OnlySubscriptions : default(GateAnswer);
}
