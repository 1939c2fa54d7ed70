// The wait of a client that requested DEBUG RELOAD. Started by the client's thread; completes on another.
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Protocol;

namespace Garnet.Server.Persistence;

/// <summary>Replies OK when the data has been loaded from the file, else with the error.</summary>
internal sealed class ReloadWait(DataReload reload, bool saves) : PendingReply
{
    private string? _error;

    /// <inheritdoc/>
    public override Task WaitAsync(CancellationToken connectionClosed) => Task.Run(ReloadAsync, CancellationToken.None);

    /// <inheritdoc/>
    public override void WriteReply(ref RespWriter reply)
    {
        if (_error is null)
            reply.WriteOk();
        else
            reply.WriteError(Encoding.UTF8.GetBytes("ERR " + _error.ReplaceLineEndings(" ")));
    }

    private async Task ReloadAsync() => _error = await reload.FromSnapshotAsync(saves).ConfigureAwait(false);
}
