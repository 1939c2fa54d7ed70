// Notices that a client has gone while its session waits for something else than requests. Used by the session, on the thread that owns the
// connection.
using System.IO.Pipelines;
using Microsoft.AspNetCore.Connections;

namespace Garnet.Server.Sessions;

/// <summary>
/// While a command waits, what its client sends behind it is read on and kept, as in Valkey: only so the end is seen that comes behind more
/// bytes than the system's buffers take. It counts as the client's query buffer; at client-query-buffer-limit the client is closed. One for
/// each session; costs nothing before the first wait.
/// </summary>
internal sealed class PeerWatch(ClientSession client, PipeReader input) : IDisposable
{
    private CancellationTokenSource? _gone;
    private volatile bool _isWaitOver;
    private ReadResult _last;
    private bool _hasLast;

    /// <summary>Cancelled when the peer will send nothing more, or the connection is closed.</summary>
    public CancellationToken PeerGone => (_gone ??= CancellationTokenSource.CreateLinkedTokenSource(client.Connection.Closed)).Token;

    /// <summary>True once the peer was seen to have gone during a wait.</summary>
    public bool IsPeerGone { get; private set; }

    /// <summary>Awaits something and watches the peer meanwhile; continues on the owner.</summary>
    /// <param name="wait">What is waited for.</param>
    /// <param name="heldBytes">Bytes of the request that are kept outside of the pipe.</param>
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

    /// <summary>Gives the last read of a wait, once: it is the session's next one.</summary>
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
                client.QueryBufferBytes = heldBytes + read.Buffer.Length;
                IsPeerGone = read.IsCompleted;
                if (_isWaitOver || IsPeerGone)
                {
                    (_last, _hasLast) = (read, true);
                    break;
                }

                input.AdvanceTo(read.Buffer.Start, read.Buffer.End);
                if (client.EndIfTooMuchUnread())
                    return;
            }
        }
        catch (Exception e) when (e is ConnectionResetException or ConnectionAbortedException or IOException)
        {
            IsPeerGone = true;
        }

        if (IsPeerGone && _gone is not null)
            await _gone.CancelAsync().ConfigureAwait(false);
    }
}
