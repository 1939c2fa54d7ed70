// Several commands that run as one on behalf of a command: those of a script, or those that a module calls. Used by one thread.
using System.Diagnostics;
using Garnet.Engine.Rules;

namespace Garnet.Engine.Execution;

/// <summary>
/// Who runs them, what they may do, and the effects that they have had so far: these are passed on together, in the database in which the
/// scope began.
/// </summary>
internal abstract class CommandScope
{
    /// <summary>The origin of the commands.</summary>
    public abstract Origin Origin { get; }

    /// <summary>The client on whose behalf they run.</summary>
    public ClientSession Client { get; set; } = null!;

    /// <summary>The thread's scratch memory and counters.</summary>
    public ThreadScratch Scratch { get; set; } = null!;

    /// <summary>When it began, by the Stopwatch; of a script only.</summary>
    public long StartTimestamp { get; protected set; }

    /// <summary>The protocol version of the replies.</summary>
    public int Protocol { get; set; } = 2;

    /// <summary>False while effects are not to be passed on.</summary>
    public bool Propagates { get; set; } = true;

    /// <summary>The effects gathered so far.</summary>
    public EffectScope Effects;

    /// <summary>A command that writes was let in.</summary>
    public bool HasWritten { get; set; }

    /// <summary>Executes a command that was let in; gathers its effects.</summary>
    public void Execute(ref CommandContext context)
    {
        bool mayHaveEffects = EffectScope.MayHaveEffects(ref context, context.Command);
        if (mayHaveEffects)
            Effects.Follow(Client);

        (int bytes, int count) = mayHaveEffects ? (Client.Propagation.Effects.Bytes, Client.Propagation.Effects.Count) : default;
        context.Client.Executor.Runner.Call(ref context);
        Debug.Assert(context.Pending is null, "A command of a scope must not wait.");
        if (mayHaveEffects && !Propagates)
            Client.Propagation.Effects.Truncate(bytes, count);
    }

    /// <summary>Passes the effects on, or leaves them to the transaction that the scope is part of. The scope has ended.</summary>
    /// <param name="database">The database in which it began, and which is selected again.</param>
    public void HandOn(int database)
    {
        if (!Client.Propagation.HasEffects)
            return;
        bool hasEffects = Effects.HasEffects(Client);
        if (hasEffects)
            Effects.Return(Client);
        if (Client.Transactions.IsExecuting)
            return;
        if (hasEffects)
            Client.Propagation.Commit(Client, database);
        else
            Client.Propagation.Discard();
    }
}
