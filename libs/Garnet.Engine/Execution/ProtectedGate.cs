// Commands that an option protects. Stateless.
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;

namespace Garnet.Engine.Execution;

/// <summary>Refuses DEBUG and the like to clients that the option of the command does not include.</summary>
internal sealed class ProtectedGate() : Gate(GateMask.Protected)
{
    /// <inheritdoc/>
    public override bool Concerns(in CommandNeeds needs) => needs.Has(CommandFlags.Protected);

    /// <inheritdoc/>
    public override GateAnswer Ask(ref CommandContext request)
    {
        CommandAccess access = request.Command.Descriptor.ProtectedBy!.Access(request.Settings);
        return access.Includes(request.Client) ? default : RefusalKind.Protected;
    }
}
