// The effects of clients, on their way into this server's stream. Used by any thread that executes commands.
using Garnet.Engine.Execution;
using Garnet.Server.Persistence;
using Garnet.Store.Changes;

namespace Garnet.Server.Replication;

/// <summary>
/// Appends effects to the stream while the log or replicas follow it; on a replica, remembers keys that its own clients let expire.
/// </summary>
internal sealed class StreamSink(ChangeFeed changes, ServerReplication replication, AppendOnly log) : EffectSink
{
    /// <inheritdoc/>
    public override bool IsOpen => changes.Sink is not null;

    /// <inheritdoc/>
    public override bool IsDenied => log.DenyingProblem is not null;

    /// <inheritdoc/>
    public override void Commit(ClientSession client, int database, ReadOnlySpan<byte> unit)
    {
        if (changes.Sink is not { } sink)
            return;
        sink.Append(database, unit);
        if (client.Propagation.NeedsNewReplicas)
        {
            client.Propagation.NeedsNewReplicas = false;
            replication.Replicas.OnNewEffects();
        }

        client.Propagation.LastWrite = replication.Effects.Stream.Position;
    }

    /// <inheritdoc/>
    public override void EffectLost() => replication.Effects.HasLost = true;

    /// <inheritdoc/>
    public override void Changed(ref CommandContext context) => replication.Primary?.OwnKeys.Note(ref context);
}
