// The wait of a client for the end of a save. Created by the client's thread; completes on another.
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Persistence.Snapshots;
using Garnet.Protocol;

namespace Garnet.Server.Persistence;

/// <summary>Replies OK when the snapshot is durable, else with the error.</summary>
internal sealed class SaveWait(Task<SaveOutcome> done) : PendingReply
{
    /// <inheritdoc/>
    public override Task WaitAsync(CancellationToken connectionClosed) => done.WaitAsync(connectionClosed);

    /// <inheritdoc/>
    public override void WriteReply(ref RespWriter reply)
    {
        SaveOutcome outcome = done.Result;
        if (outcome.Result == SaveResult.Success)
            reply.WriteOk();
        else
            reply.WriteError(Encoding.UTF8.GetBytes("ERR " + (outcome.Error ?? "the save was cancelled").ReplaceLineEndings(" ")));
    }
}
