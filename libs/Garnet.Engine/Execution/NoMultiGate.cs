// Commands that cannot be part of a transaction. Stateless.
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;

namespace Garnet.Engine.Execution;

/// <summary>Refuses them while a transaction is open.</summary>
internal sealed class NoMultiGate() : Gate(GateMask.NoMulti)
{
    /// <inheritdoc/>
    public override bool Concerns(in CommandNeeds needs) => needs.Has(CommandFlags.NoMulti);

    /// <inheritdoc/>
    public override GateAnswer Ask(ref CommandContext request) =>
        request.Client.Transactions.Open is null ? default : RefusalKind.NotInTransaction;
}
