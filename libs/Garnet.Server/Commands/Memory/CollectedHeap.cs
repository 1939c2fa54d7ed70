// The wait of MEMORY PURGE. Created by the client's thread; the work runs on a pool thread.
using Garnet.Protocol;
using Garnet.Server.CommandModel;
using Garnet.Server.Sessions;

namespace Garnet.Server.Commands.Memory;

/// <summary>
/// Ends when the store has given back what it kept for reuse, and the garbage collector has compacted the heap; that of an application is
/// not the server's to tidy.
/// </summary>
internal sealed class CollectedHeap(RespServer server) : PendingReply
{
    /// <inheritdoc/>
    public override Task WaitAsync(CancellationToken connectionClosed) => Task.Run(Purge, CancellationToken.None);

    /// <inheritdoc/>
    public override void WriteReply(ref RespWriter reply) => reply.WriteOk();

    private void Purge()
    {
        server.Store.Purge();
        if (server.Memory.OwnsProcess)
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
    }
}
