// The wait of a client that has the data loaded anew. Made by the client's thread; completes on another.
using Garnet.Protocol;
using Garnet.Server.CommandModel;

namespace Garnet.Server.Persistence;

/// <summary>Replies OK when the data are back, else that they are not.</summary>
internal sealed class LogReloadWait(Task<string?> done) : PendingReply
{
    /// <inheritdoc/>
    public override Task WaitAsync(CancellationToken connectionClosed) => done.WaitAsync(connectionClosed);

    /// <inheritdoc/>
    public override void WriteReply(ref RespWriter reply)
    {
        if (done.Result is null)
            reply.WriteOk();
        else
            reply.WriteError("ERR Error trying to load the AOF files, check server logs."u8);
    }
}
