// Writes of scripts that only read. Stateless.
using Garnet.Engine.Execution;
using Garnet.Engine.Rules;

namespace Garnet.Server.Scripting;

/// <summary>Refuses them to scripts that were called by EVAL_RO and the like, or declare that they do not write.</summary>
internal sealed class ScriptWritesGate() : Gate(GateMask.ScriptWrites)
{
    /// <inheritdoc/>
    public override bool Concerns(in CommandNeeds needs) => needs.MayHaveEffects;

    /// <inheritdoc/>
    public override GateAnswer Ask(ref CommandContext request) =>
        request.Client.Transactions.Script is ScriptRun { IsReadOnly: true } ? RefusalKind.ScriptOnlyReads : default(GateAnswer);
}
