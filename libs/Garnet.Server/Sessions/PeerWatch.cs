// Detects that a client has disconnected while its session waits for something other than requests. Used by the session, on the thread that
// owns the connection.
using System.IO.Pipelines;
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Microsoft.AspNetCore.Connections;

namespace Garnet.Server.Sessions;

/// <summary>
/// While a command waits, data that its client sends after it is read and kept, as in Valkey: only then is the end of the stream seen when
/// it follows more bytes than the system's buffers hold. The data counts as the client's query buffer; at client-query-buffer-limit the
/// client is closed. One per session; costs nothing before the first wait.
/// </summary>
internal sealed class PeerWatch(ClientSession client, PipeReader input) : IDisposable
{
    private CancellationTokenSource? _gone;
    private volatile bool _isWaitOver;
    private ReadResult _last;
    private bool _hasLast;

    /// <summary>Cancelled when the peer will send nothing more, or the connection is closed.</summary>
    public CancellationToken Disconnected => (_gone ??= CancellationTokenSource.CreateLinkedTokenSource(client.Connection.Closed)).Token;

    /// <summary>True once the peer was found to have disconnected during a wait.</summary>
    public bool IsDisconnected { get; private set; }

    /// <summary>Awaits a task and watches the peer meanwhile; continues on the owner.</summary>
    /// <param name="wait">The task to await.</param>
    /// <param name="heldBytes">Bytes of the request that are stored outside of the pipe.</param>
    public async ValueTask WhileAsync(Task wait, long heldBytes)
    {
        if (!wait.IsCompleted)
        {
            _isWaitOver = false;
            Task watching = WatchAsync(heldBytes);
            await wait.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            await new OwnerThread(client.Connection);
            _isWaitOver = true;
            if (!watching.IsCompleted)
            {
                input.CancelPendingRead();
                await watching.ConfigureAwait(false);
                await new OwnerThread(client.Connection);
            }
        }

        await wait.ConfigureAwait(false);
        await new OwnerThread(client.Connection);
    }

    /// <summary>Returns the last read of a wait, once: it is the session's next one.</summary>
    public bool TryTake(out ReadResult read)
    {
        read = _last;
        _last = default;
        (bool has, _hasLast) = (_hasLast, false);
        return has;
    }

    /// <inheritdoc/>
    public void Dispose() => _gone?.Dispose();

    private async Task WatchAsync(long heldBytes)
    {
        try
        {
            while (true)
            {
                ReadResult read = await input.ReadAsync().ConfigureAwait(false);
                client.Input.Bytes = heldBytes + read.Buffer.Length;
                IsDisconnected = read.IsCompleted;
                if (_isWaitOver || IsDisconnected)
                {
                    (_last, _hasLast) = (read, true);
                    break;
                }

                input.AdvanceTo(read.Buffer.Start, read.Buffer.End);
                if (client.Input.EndIfTooMuch())
                    return;
                if (read.IsCanceled && client.Session is { } session)
                    await session.WriteMessagesAsync().ConfigureAwait(false);
            }
        }
        catch (Exception e) when (e is ConnectionResetException or ConnectionAbortedException or IOException)
        {
            IsDisconnected = true;
        }

        if (IsDisconnected)
            EndWait();
    }

    // At once: on another thread later, the command might be served meanwhile.
    private void EndWait() => _gone?.Cancel();
}
