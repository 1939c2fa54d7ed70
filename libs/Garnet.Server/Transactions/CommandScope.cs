// Several commands that run as one on behalf of a command: those of a script, or those that a module calls. Used by one thread.
using System.Diagnostics;
using Garnet.Server.CommandModel;
using Garnet.Server.Sessions;

namespace Garnet.Server.Transactions;

/// <summary>
/// Who runs them, what they may do, and the effects that they have had so far: these are passed on together, in the database in which the
/// scope began.
/// </summary>
internal abstract class CommandScope
{
    /// <summary>The client on whose behalf they run.</summary>
    public required ClientSession Client { get; set; }

    /// <summary>The thread's scratch memory and counters.</summary>
    public required BatchContext Batch { get; set; }

    /// <summary>The protocol version of the replies.</summary>
    public int Protocol { get; set; } = 2;

    /// <summary>False while effects are not to be passed on.</summary>
    public bool Propagates { get; set; } = true;

    /// <summary>The database in which the effects gathered so far end.</summary>
    public int EffectsDatabase { get; set; }

    /// <summary>How many of the effects select a database.</summary>
    public int Selects { get; set; }

    /// <summary>A command that writes was let in.</summary>
    public bool HasWritten { get; set; }

    /// <summary>Executes a command that was let in; gathers its effects.</summary>
    public void Execute(ref CommandContext context)
    {
        bool mayHaveEffects = context.HasSink && (context.Command.Flags & (CommandFlags.Write | CommandFlags.MayReplicate)) != 0;
        if (mayHaveEffects && Client.Store.Database != EffectsDatabase)
        {
            EffectsDatabase = Client.Store.Database;
            Selects++;
            Client.Propagation.Effects.Begin(2).Add("SELECT"u8).Add(EffectsDatabase);
        }

        (int bytes, int count) = mayHaveEffects ? (Client.Propagation.Effects.Bytes, Client.Propagation.Effects.Count) : default;
        CommandDispatcher.Call(ref context);
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
        if (Client.Propagation.Effects.Count > Selects && EffectsDatabase != database)
            Client.Propagation.Effects.Begin(2).Add("SELECT"u8).Add(database);
        if (Client.Transactions.IsExecuting)
            return;
        if (Client.Propagation.Effects.Count == Selects)
            Client.Propagation.Discard();
        else
            CommandDispatcher.FlushEffects(Client, database);
    }
}
