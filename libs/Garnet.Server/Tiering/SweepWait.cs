// The wait of a client that requested DEBUG TIER COLD. Started by the client's thread; completes on another.
using Garnet.Engine.Execution;
using Garnet.Protocol;
using Garnet.Store;
using Garnet.Store.Tiering;

namespace Garnet.Server.Tiering;

/// <summary>Replies with the number of keys that have become cold when their values are on disk.</summary>
/// <param name="store">A store with a tier.</param>
/// <param name="database">The database of the keys.</param>
/// <param name="keys">The keys whose values move; null for all keys of all databases.</param>
internal sealed class SweepWait(HybridLogStore store, int database, byte[][]? keys) : PendingReply
{
    private long _moved;

    /// <inheritdoc/>
    public override Task WaitAsync(CancellationToken connectionClosed) => Task.Run(() => Move(connectionClosed), CancellationToken.None);

    /// <inheritdoc/>
    public override void WriteReply(ref RespWriter reply) => reply.WriteInteger(_moved);

    private void Move(CancellationToken stop)
    {
        using var sweep = new ColdSweep(store, stop);
        _moved = keys is null ? sweep.MoveAll() : sweep.Move(database, keys);
    }
}
