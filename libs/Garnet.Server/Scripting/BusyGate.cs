// Commands during a slow script.
using Garnet.Server.CommandModel;
using Garnet.Server.Execution;

namespace Garnet.Server.Scripting;

/// <summary>Refuses all but a few commands to guests of a script that has held the keyspace for long.</summary>
internal sealed class BusyGate(RunningScript script) : Gate(GateMask.Busy)
{
    /// <inheritdoc/>
    public override bool Concerns(in CommandNeeds needs) => !needs.Has(CommandFlags.AllowBusy);

    /// <inheritdoc/>
    public override GateAnswer Ask(ref CommandContext request) =>
        request.Store.Barrier.IsGuest ? new Refusal(RefusalKind.Busy, script.BusyError) : default(GateAnswer);
}
