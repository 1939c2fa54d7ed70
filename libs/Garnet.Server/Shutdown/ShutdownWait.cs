// The wait of a client that requested the shutdown. Created by the client's thread; completes on another.
using Garnet.Engine.Execution;
using Garnet.Protocol;

namespace Garnet.Server.Shutdown;

/// <summary>Sends no reply when the server ends, because the connection does too; an error when it keeps running.</summary>
internal sealed class ShutdownWait(ClientSession client, Task<bool> prepared) : PendingReply
{
    /// <inheritdoc/>
    public override Task WaitAsync(CancellationToken connectionClosed) => prepared.WaitAsync(connectionClosed);

    /// <inheritdoc/>
    public override void WriteReply(ref RespWriter reply)
    {
        if (prepared.Result)
            client.End.AfterReply = true;
        else
            reply.WriteError("ERR Errors trying to SHUTDOWN. Check logs."u8);
    }
}
