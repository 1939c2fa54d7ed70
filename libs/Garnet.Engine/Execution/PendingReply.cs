// A command that replies later (CLIENT PAUSE aside): its session waits without occupying a thread.
using Garnet.Engine.Clients;
using Garnet.Protocol;

namespace Garnet.Engine.Execution;

/// <summary>
/// The rest of a command that has to wait. The session flushes earlier replies, awaits <see cref="WaitAsync"/>, and then calls
/// <see cref="WriteReply"/> on the connection's own thread; later requests stay unread until then.
/// </summary>
internal abstract class PendingReply
{
    /// <summary>
    /// Completes when the reply can be written, or when the connection ends, with an exception or with <see cref="IsAbandoned"/>.
    /// </summary>
    public abstract Task WaitAsync(CancellationToken connectionClosed);

    /// <summary>
    /// True when the wait ended because the connection ends: no reply is written. It avoids an exception, which would dominate the cost
    /// when thousands of clients disconnect at once.
    /// </summary>
    public virtual bool IsAbandoned => false;

    /// <summary>
    /// Whether a peer that has closed its sending side counts as gone and ends the wait, as in Valkey for blocking commands. Other commands
    /// are still answered, since their request arrived before the end.
    /// </summary>
    public virtual bool EndsWithPeer => false;

    /// <summary>
    /// Whether messages must follow the reply, which is known but not written yet, or shows data that were read before. Any thread.
    /// </summary>
    public virtual bool PrecedesMessages => false;

    /// <summary>The session ends and will not write the reply: completes when no other thread works on it any more.</summary>
    public virtual Task AbandonAsync() => Task.CompletedTask;

    /// <summary>Writes the command's single reply, or, while <see cref="HasMore"/>, its next piece.</summary>
    public abstract void WriteReply(ref RespWriter reply);

    /// <summary>
    /// True when only a piece of the reply was written: the next one is requested when the network has accepted this one.
    /// </summary>
    public virtual bool HasMore => false;

    /// <summary>The command to log by its reply size when it is complete; null if it is not logged, or logs itself.</summary>
    internal LoggedCommand? Logged { get; set; }

    /// <summary>Bytes of the reply so far.</summary>
    internal long ReplyBytes { get; set; }

    /// <summary>For a reply in pieces, what they have taken; null for others.</summary>
    internal PieceTime? Time { get; set; }

    /// <summary>How often blocked clients had been released by a change of the role when the command was executed.</summary>
    internal int Releases { get; set; }

    /// <summary>Whether the wait has a timeout.</summary>
    public virtual bool HasTimeout => false;

    /// <summary>True when the connection ends after the reply; known once the reply is written.</summary>
    public virtual bool EndsConnection => false;

    /// <summary>The reply for a wait that was ended with an error.</summary>
    protected static ReadOnlySpan<byte> UnblockedError(UnblockReason reason) =>
        reason == UnblockReason.RoleChange
            ? "UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)"u8
            : "UNBLOCKED client unblocked via CLIENT UNBLOCK"u8;

    /// <summary>
    /// Ends the wait early, from another thread: as if it had timed out, or with an error as reply. False when it cannot be ended this way,
    /// or is over already.
    /// </summary>
    public virtual bool TryUnblock(UnblockReason reason) => false;
}
