// A command whose reply comes later (CLIENT PAUSE aside): its session waits without holding a thread.
using Garnet.Protocol;
using Garnet.Server.Statistics;

namespace Garnet.Server.CommandModel;

/// <summary>
/// The rest of a command that has to wait. The session flushes what was replied before, awaits <see cref="WaitAsync"/>, and then calls
/// <see cref="WriteReply"/> on the connection's own thread; requests behind it stay unread until then.
/// </summary>
public abstract class PendingReply
{
    /// <summary>
    /// Completes when the reply can be written, or when the connection goes away, with an exception or with <see cref="IsGivenUp"/>.
    /// </summary>
    public abstract Task WaitAsync(CancellationToken connectionClosed);

    /// <summary>
    /// True when the wait ended since the connection goes away: no reply is written. Without an exception, which costs more than all else
    /// where thousands of clients leave at once.
    /// </summary>
    public virtual bool IsGivenUp => false;

    /// <summary>
    /// Whether a peer that has closed its sending side is gone and the wait over, as in Valkey for commands that block their client. The
    /// others are answered all the same, since their request came before the end.
    /// </summary>
    public virtual bool EndsWithPeer => false;

    /// <summary>The session ends and will not write the reply: completes when nothing works for it any more.</summary>
    public virtual Task AbandonAsync() => Task.CompletedTask;

    /// <summary>Writes the one reply of the command, or, while <see cref="HasMore"/>, the next piece of it.</summary>
    public abstract void WriteReply(ref RespWriter reply);

    /// <summary>True when only a piece of the reply was written: the next one is asked for when the network has taken this one.</summary>
    public virtual bool HasMore => false;

    /// <summary>What is logged by the reply's size when it is complete; null for a command that is not, or sees to it itself.</summary>
    internal LoggedCommand? Logged { get; set; }

    /// <summary>Bytes of the reply so far.</summary>
    internal long ReplyBytes { get; set; }

    /// <summary>For a reply in pieces, what they have taken; null for others.</summary>
    internal PieceTime? Time { get; set; }

    /// <summary>Whether the wait ends by the clock, if by nothing else.</summary>
    public virtual bool HasTimeout => false;

    /// <summary>The reply of a wait that was ended with an error.</summary>
    protected static ReadOnlySpan<byte> UnblockedError => "UNBLOCKED client unblocked via CLIENT UNBLOCK"u8;

    /// <summary>
    /// Ends the wait early, as CLIENT UNBLOCK asks from another thread: as if its time were over, or so that the reply is
    /// <see cref="UnblockedError"/>. False when it cannot be ended so, or is over already.
    /// </summary>
    public virtual bool TryUnblock(bool withError) => false;
}
