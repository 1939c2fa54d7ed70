// Commands during a slow script. Stateless.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;

namespace Garnet.Server.Scripting;

/// <summary>Refuses all but a few commands to guests of a script that has held the keyspace for long.</summary>
internal sealed class BusyGate() : Gate(GateMask.Busy)
{
    /// <inheritdoc/>
    public override bool Concerns(in CommandNeeds needs) => !needs.Has(CommandFlags.AllowBusy);

    /// <inheritdoc/>
    public override GateAnswer Ask(ref CommandContext request) => request.Store.Barrier.IsGuest ? RefusalKind.Busy : default(GateAnswer);
}
