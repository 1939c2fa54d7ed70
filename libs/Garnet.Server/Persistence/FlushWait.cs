// The wait of FLUSHALL for the empty snapshot behind it. Made by the client's thread; completes on another.
using Garnet.Protocol;
using Garnet.Server.CommandModel;

namespace Garnet.Server.Persistence;

/// <summary>
/// Replies OK when the snapshot is there, and likewise when it failed: the data is gone in any case, and INFO tells of the failure.
/// </summary>
internal sealed class FlushWait(SnapshotKeeper snapshots) : PendingReply
{
    /// <inheritdoc/>
    public override Task WaitAsync(CancellationToken connectionClosed) => snapshots.SaveNextAsync().WaitAsync(connectionClosed);

    /// <inheritdoc/>
    public override void WriteReply(ref RespWriter reply) => reply.WriteOk();
}
