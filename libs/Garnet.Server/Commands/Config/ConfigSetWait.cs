// The pending reply of a CONFIG SET that takes time. Created by the client's thread; completed by another.
using Garnet.Engine.Execution;
using Garnet.Protocol;

namespace Garnet.Server.Commands.Config;

/// <summary>Replies OK when the settings are in effect, otherwise with the reason why they were refused.</summary>
internal sealed class ConfigSetWait(Task<string?> set) : PendingReply
{
    /// <inheritdoc/>
    public override Task WaitAsync(CancellationToken connectionClosed) => set.WaitAsync(connectionClosed);

    /// <inheritdoc/>
    public override void WriteReply(ref RespWriter reply)
    {
        if (set.Result is { } problem)
            reply.WriteError("ERR " + problem);
        else
            reply.WriteOk();
    }
}
