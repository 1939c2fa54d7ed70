// A connection's replies, held back until the disk has what they tell of. Used by the session; told by the log's thread, alone or with
// others.
using System.Runtime.CompilerServices;
using Garnet.Persistence.AppendLog;
using Garnet.Server.Sessions;

namespace Garnet.Server.Persistence;

/// <summary>
/// <c>await hold.Until(log)</c> goes on, on the connection's own thread, when the disk has all that the log had been handed by then. When
/// it never will, the connection is ended: its client must not take what it asked for as done. One for each connection, used again and
/// again, so that waiting allocates nothing.
/// </summary>
internal sealed class ReplyGate(ClientSession client) : IDurabilityWaiter, ICriticalNotifyCompletion
{
    private Action? _continuation;

    public bool IsCompleted => Log.Durable >= Offset;

    /// <summary>The log that is waited for.</summary>
    public AppendOnlyLog Log { get; private set; } = null!;

    /// <summary>How far the disk must have it.</summary>
    public long Offset { get; private set; }

    /// <summary>The connection.</summary>
    public IClientConnection Connection => client.Connection;

    /// <summary>What to await.</summary>
    public ReplyGate Until(AppendOnlyLog appendLog)
    {
        Log = appendLog;
        Offset = appendLog.Appended;
        return this;
    }

    public ReplyGate GetAwaiter() => this;

    public void OnCompleted(Action continuation) => UnsafeOnCompleted(continuation);

    public void UnsafeOnCompleted(Action continuation)
    {
        _continuation = continuation;
        if (Connection.OwnerId >= 0)
            client.Server.CurrentBatch.Held.Add(this);
        else
            AwaitAlone();
    }

    /// <summary>Waits without others.</summary>
    public void AwaitAlone()
    {
        if (!Log.Await(Offset, this))
            OnDurable();
    }

    /// <summary>Ends the wait: at once for a caller who runs on the connection's owner.</summary>
    public void GoOn()
    {
        if (Connection.IsOnOwnerThread)
            _continuation!();
        else
            OnDurable();
    }

    /// <inheritdoc/>
    public void OnDurable() => Connection.Post(static state => ((Action)state!)(), _continuation);

    public void GetResult()
    {
        if (Log.Durable >= Offset)
            return;
        client.Kill();
        throw new IOException("The append-only log cannot be written.");
    }
}
