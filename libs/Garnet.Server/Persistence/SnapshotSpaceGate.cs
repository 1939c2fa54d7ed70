// A snapshot without space for old images. Stateless.
using Garnet.Engine.Execution;
using Garnet.Engine.Rules;
using Garnet.Store.Snapshots;

namespace Garnet.Server.Persistence;

/// <summary>A write waits until the snapshot has written some of the images that it holds.</summary>
internal sealed class SnapshotSpaceGate(StoreSnapshots snapshots) : Gate(GateMask.SnapshotSpace)
{
    /// <inheritdoc/>
    public override bool Concerns(in CommandNeeds needs) => needs.MayHaveEffects;

    /// <inheritdoc/>
    public override GateAnswer Ask(ref CommandContext request) =>
        !request.Store.Barrier.IsGuest && snapshots.MustWait(0) ? GateAnswer.WaitFor(snapshots.WaitAsync()) : default;
}
