// The bytes of a primary, which are the effects of its commands. Used by the task that applies them.
using Garnet.Engine.Execution;

namespace Garnet.Server.Replication;

/// <summary>Has what was received appended as it came; the commands need not be described.</summary>
internal sealed class AppliedSink(StreamApplier applier) : EffectSink
{
    /// <inheritdoc/>
    public override bool IsOpen => false;

    /// <inheritdoc/>
    public override bool FollowsCommands => true;

    /// <inheritdoc/>
    public override void Commit(ClientSession client, int database, ReadOnlySpan<byte> unit) { }

    /// <inheritdoc/>
    public override void CommandEnded(ClientSession client) => applier.OnApplied(client);
}
