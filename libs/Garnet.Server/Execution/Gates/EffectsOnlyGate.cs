// What a primary's stream or a log may bring. Stateless.
using Garnet.Server.CommandModel;
using Garnet.Server.Persistence.Replay;

namespace Garnet.Server.Execution.Gates;

/// <summary>Its commands run without a user's rules, so they may only be such as servers replicate.</summary>
internal sealed class EffectsOnlyGate() : Gate(GateMask.EffectsOnly)
{
    /// <inheritdoc/>
    public override bool Concerns(in CommandNeeds needs) => !ReplayRoute.MayCome(needs.Command);

    /// <inheritdoc/>
    public override GateAnswer Ask(ref CommandContext request) => RefusalKind.NoEffect;
}
