// The wait of MEMORY PURGE. Made by the client's thread; the work runs on a pool thread.
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Server.Commands.Server;

/// <summary>Ends when the store has given back what it kept for reuse, and the garbage collector has compacted the heap.</summary>
internal sealed class CollectedHeap(HybridLogStore store) : PendingReply
{
    /// <inheritdoc/>
    public override Task WaitAsync(CancellationToken connectionClosed) =>
        Task.Run(Purge, CancellationToken.None);

    /// <inheritdoc/>
    public override void WriteReply(ref RespWriter reply) => reply.WriteOk();

    private void Purge()
    {
        store.Purge();
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
    }
}
