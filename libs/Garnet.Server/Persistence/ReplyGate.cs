// A connection's replies, held back until the writes they acknowledge are durable. Used by the session; notified by the log's thread, alone
// or in a group.
using System.Runtime.CompilerServices;
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Persistence.AppendLog;

namespace Garnet.Server.Persistence;

/// <summary>
/// <c>await gate.Until(log)</c> continues, on the connection's own thread, when everything appended to the log before is durable. If it
/// never will be, the connection is closed: its client must not take the writes for done. One per connection, reused, so that waiting
/// allocates nothing.
/// </summary>
internal sealed class ReplyGate(ClientSession client) : IDurabilityWaiter, ICriticalNotifyCompletion
{
    private Action? _continuation;

    public bool IsCompleted => Log.Durable >= Offset;

    /// <summary>The awaited log.</summary>
    public AppendOnlyLog Log { get; private set; } = null!;

    /// <summary>The position up to which the log must be durable.</summary>
    public long Offset { get; private set; }

    /// <summary>The connection.</summary>
    public IClientConnection Connection => client.Connection;

    /// <summary>Returns the object to await.</summary>
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
            GroupCommit.OfThread.Of(client.Executor.Threads.Current).Add(this);
        else
            AwaitAlone();
    }

    /// <summary>Waits without a group.</summary>
    public void AwaitAlone()
    {
        if (!Log.Await(Offset, this))
            OnDurable();
    }

    /// <summary>Ends the wait: synchronously for a caller on the connection's owner.</summary>
    public void Resume()
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
        client.End.Force();
        throw new IOException("The append-only log cannot be written.");
    }
}
