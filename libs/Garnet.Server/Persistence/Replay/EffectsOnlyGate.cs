// What a primary's stream or a log may bring. Stateless.
using Garnet.Engine.Execution;
using Garnet.Engine.Rules;

namespace Garnet.Server.Persistence.Replay;

/// <summary>Its commands run without a user's rules, so they may only be such as servers replicate.</summary>
internal sealed class EffectsOnlyGate() : Gate(GateMask.EffectsOnly)
{
    /// <inheritdoc/>
    public override bool Concerns(in CommandNeeds needs) => !ReplayRoute.MayCome(needs.Command);

    /// <inheritdoc/>
    public override GateAnswer Ask(ref CommandContext request) => RefusalKind.NoEffect;
}
