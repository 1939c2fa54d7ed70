// Clients that a replica sends to its primary. Stateless.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;

namespace Garnet.Server.Replication;

/// <summary>A client that understands redirections (CLIENT CAPA REDIRECT) gets the primary's address; raised on replicas.</summary>
internal sealed class RedirectGate(ServerReplication replication) : Gate(GateMask.Redirect)
{
    /// <inheritdoc/>
    public override bool Concerns(in CommandNeeds needs) => needs.Has(CommandFlags.Write) || needs.Has(CommandFlags.ReadOnly);

    /// <inheritdoc/>
    public override GateAnswer Ask(ref CommandContext request) =>
        replication.Primary?.RedirectFor(request.Client, request.EffectiveFlags) is { } redirect
            ? new Refusal(RefusalKind.Redirected, redirect)
            : default(GateAnswer);
}
