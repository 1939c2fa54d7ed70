// Commands that scripts may not call. Thread-safe.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;

namespace Garnet.Server.Scripting;

/// <summary>Refuses them, but for DEBUG where DEBUG has allowed itself.</summary>
internal sealed class ScriptCallableGate(ServerScripts scripts) : Gate(GateMask.ScriptCallable)
{
    /// <inheritdoc/>
    public override bool Concerns(in CommandNeeds needs) => needs.Has(CommandFlags.NoScript);

    /// <inheritdoc/>
    public override GateAnswer Ask(ref CommandContext request) =>
        scripts.MayDebug && request.Command.Descriptor.ProtectedBy == ProtectingOption.Debug
            ? default
            : (GateAnswer)RefusalKind.NotFromScript;
}
