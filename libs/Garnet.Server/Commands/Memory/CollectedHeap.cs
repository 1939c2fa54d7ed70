// The pending reply of MEMORY PURGE. Created by the client's thread; the work runs on a pool thread.
using Garnet.Engine.Execution;
using Garnet.Protocol;
using Garnet.Server.Eviction;
using Garnet.Store;

namespace Garnet.Server.Commands.Memory;

/// <summary>
/// Completes when the store has returned memory kept for reuse and the garbage collector has compacted the heap. Inside an application the
/// heap is left alone.
/// </summary>
internal sealed class CollectedHeap(HybridLogStore store, MemoryAccount memory) : PendingReply
{
    /// <inheritdoc/>
    public override Task WaitAsync(CancellationToken connectionClosed) => Task.Run(Purge, CancellationToken.None);

    /// <inheritdoc/>
    public override void WriteReply(ref RespWriter reply) => reply.WriteOk();

    private void Purge()
    {
        store.Maintenance.Purge();
        if (memory.OwnsProcess)
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
    }
}
