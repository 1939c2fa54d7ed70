// The wait of FLUSHALL for the empty snapshot after it. Created by the client's thread; completes on another.
using Garnet.Engine.Execution;
using Garnet.Protocol;

namespace Garnet.Server.Persistence;

/// <summary>
/// Replies OK when the snapshot has been saved, and also when it failed: the data is gone in any case, and INFO reports the failure.
/// </summary>
internal sealed class FlushWait(SnapshotKeeper snapshots) : PendingReply
{
    /// <inheritdoc/>
    public override bool PrecedesMessages => true;

    /// <inheritdoc/>
    public override Task WaitAsync(CancellationToken connectionClosed) => snapshots.SaveNextAsync().WaitAsync(connectionClosed);

    /// <inheritdoc/>
    public override void WriteReply(ref RespWriter reply) => reply.WriteOk();
}
