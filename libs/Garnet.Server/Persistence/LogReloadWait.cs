// The wait of a client that requested a reload of the data. Created by the client's thread; completes on another.
using Garnet.Engine.Execution;
using Garnet.Protocol;

namespace Garnet.Server.Persistence;

/// <summary>Replies OK when the data is loaded, else with an error.</summary>
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
