// MULTI
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Transactions;

/// <summary>Starts queueing commands for EXEC.</summary>
internal static class MultiCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "MULTI",
        Arity = 1,
        Flags =
            CommandFlags.NoScript
            | CommandFlags.Loading
            | CommandFlags.Stale
            | CommandFlags.Fast
            | CommandFlags.NoMulti
            | CommandFlags.AllowBusy,
        Group = CommandGroup.Transactions,
        Traits = CommandTraits.OfConnection | CommandTraits.ControlsTransaction | CommandTraits.BeginsTransaction,
        Since = "1.2.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        Transaction transaction = context.Scratch.Pools.RentTransaction();
        transaction.Database = context.Store.Database;
        context.Client.Transactions.Open = transaction;
        context.Reply.WriteOk();
    }
}
