// What is kept of commands that are slow or large. Implemented by the logs; any thread.
using Garnet.Engine.Rules;

namespace Garnet.Engine.Execution;

/// <summary>Is told of commands beyond <see cref="Limits"/>.</summary>
internal abstract class CommandRecorder
{
    private volatile RecordLimits _limits = RecordLimits.None;

    /// <summary>From when on commands are recorded. Replaced as a whole when an option changes.</summary>
    public RecordLimits Limits
    {
        get => _limits;
        protected set => _limits = value;
    }

    /// <summary>Records a command that took at least <see cref="RecordLimits.SlowTicks"/>.</summary>
    /// <param name="context">The command, which has ended.</param>
    /// <param name="ticks">Stopwatch ticks that it took.</param>
    public abstract void RecordSlow(ref CommandContext context, long ticks);

    /// <summary>As the other one for a command that replied in pieces, with the last of them.</summary>
    public abstract void RecordSlow(PieceTime pieces, long nowMs);

    /// <summary>What the slow log may have to keep of a command that goes on later; null when it keeps nothing.</summary>
    public abstract LoggedCommand? KeepSlow(ref CommandContext context);

    /// <summary>Records a command whose request or reply is large.</summary>
    public abstract void RecordLarge(LoggedCommand command, long replyBytes);

    /// <summary>Records a blocked command that ended without a result, by the time of its attempts and by its sizes.</summary>
    public abstract void RecordGivenUp(BlockedCommand command, long replyBytes);

    /// <summary>
    /// The data of a command with a pending reply that is needed to record its sizes later; null when no sizes are recorded.
    /// </summary>
    public abstract LoggedCommand? KeepLarge(ref CommandContext context);

    /// <summary>Counts a piece of such a reply, and records the command with its last one.</summary>
    public abstract void CountPiece(PendingReply reply, long bytes);
}
