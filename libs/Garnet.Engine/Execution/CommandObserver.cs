// An observer of commands. Thread-safe.
using Garnet.Engine.Rules;

namespace Garnet.Engine.Execution;

/// <summary>
/// Is told of each command while its bit is set; otherwise it costs nothing. What it is told of a command begins with <see cref="Before"/>:
/// one that is turned on in the middle of a command sees the next. Gates decide, observers only look.
/// </summary>
/// <param name="bit">Its bit.</param>
internal abstract class CommandObserver(ObserverMask bit)
{
    /// <summary>Its bit.</summary>
    public ObserverMask Bit => bit;

    /// <summary>A command is about to run. Nothing is latched but what the transaction has that it is part of.</summary>
    public virtual void Before(ref CommandContext context) { }

    /// <summary>A command has run and its effects are passed on; its keys are still held. Its reply may be pending.</summary>
    public virtual void After(ref CommandContext context) { }

    /// <summary>A client's batch begins; returns the client whose batch it interrupts on this thread, for <see cref="Leave"/>.</summary>
    public virtual ClientSession? Enter(ThreadScratch thread, ClientSession client) => null;

    /// <summary>A batch is over; nothing is latched.</summary>
    public virtual void Leave(ThreadScratch thread, ClientSession? outer) { }

    /// <summary>A request is refused.</summary>
    public virtual void Refused(ref CommandContext context, Command? command) { }

    /// <summary>A command that was let in has done nothing and comes again.</summary>
    public virtual void PutOff(ref CommandContext context) { }

    /// <summary>A blocked command was executed again, and its keys are released.</summary>
    /// <param name="context">The command.</param>
    /// <param name="isSearch">It found nothing, and only looked for its keys: no client would have seen it do that.</param>
    public virtual void Resumed(ref CommandContext context, bool isSearch) { }

    /// <summary>An EXEC was refused, which ended the transaction; nothing ran.</summary>
    public virtual void Aborted(ref CommandContext context) { }

    /// <summary>The keys of a command are released that is not part of another one.</summary>
    public virtual void Released(ref CommandContext context) { }
}
