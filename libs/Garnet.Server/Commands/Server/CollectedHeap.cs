// The wait of MEMORY PURGE. Made by the client's thread; the collection runs on a pool thread.
using Garnet.Protocol;

namespace Garnet.Server.Commands.Server;

/// <summary>Ends when the garbage collector has compacted the heap and given back what it does not need.</summary>
internal sealed class CollectedHeap : PendingReply
{
    /// <inheritdoc/>
    public override Task WaitAsync(CancellationToken connectionClosed) =>
        Task.Run(static () => GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true), CancellationToken.None);

    /// <inheritdoc/>
    public override void WriteReply(ref RespWriter reply) => reply.WriteOk();
}
