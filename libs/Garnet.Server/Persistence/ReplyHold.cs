// A connection's replies, held back until the disk has what they tell of. Used by the session; told by the log's thread.
using System.Runtime.CompilerServices;
using Garnet.Persistence.AppendLog;
using Garnet.Server.Sessions;

namespace Garnet.Server.Persistence;

/// <summary>
/// <c>await hold.Until(log)</c> goes on, on the connection's own thread, when the disk has all that the log had been handed by then. When it never will, the connection is ended:
/// its client must not take what it asked for as done. One for each connection, used again and again, so that waiting allocates nothing.
/// </summary>
internal sealed class ReplyHold(ClientSession client) : IDurabilityWaiter, ICriticalNotifyCompletion
{
    private AppendLog log = null!;
    private long offset;
    private Action? continuation;

    public bool IsCompleted => log.Durable >= offset;

    /// <summary>What to await.</summary>
    public ReplyHold Until(AppendLog appendLog)
    {
        log = appendLog;
        offset = appendLog.Appended;
        return this;
    }

    public ReplyHold GetAwaiter() => this;

    public void OnCompleted(Action continuation) => UnsafeOnCompleted(continuation);

    public void UnsafeOnCompleted(Action continuation)
    {
        this.continuation = continuation;
        if (!log.Await(offset, this))
            OnDurable();
    }

    /// <inheritdoc/>
    public void OnDurable() => client.Connection.Post(static state => ((Action)state!)(), continuation);

    public void GetResult()
    {
        if (log.Durable >= offset)
            return;
        client.Kill();
        throw new IOException("The append-only log cannot be written.");
    }
}
