// An append-only log without space. Stateless.
using Garnet.Engine.Execution;
using Garnet.Engine.Rules;

namespace Garnet.Server.Persistence;

/// <summary>A write waits until the log has written some of the effects that it holds.</summary>
internal sealed class LogSpaceGate(ServerPersistence persistence) : Gate(GateMask.LogSpace)
{
    /// <inheritdoc/>
    public override bool Concerns(in CommandNeeds needs) => needs.MayHaveEffects;

    /// <inheritdoc/>
    public override GateAnswer Ask(ref CommandContext request) =>
        !request.Store.Barrier.IsGuest && persistence.AppendOnly.Log is { HasSpace: false } log
            ? GateAnswer.WaitFor(log.SpaceAsync())
            : default;
}
