// EXEC
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Transactions;

/// <summary>Executes the queued commands atomically.</summary>
internal static class ExecCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "EXEC",
        Arity = 1,
        Flags = CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale | CommandFlags.SkipSlowlog,
        Group = CommandGroup.Transactions,
        Traits = CommandTraits.OfConnection | CommandTraits.ControlsTransaction | CommandTraits.RunsTransaction,
        Since = "1.2.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        context.Scratch.Batches.RanTransaction = false;
        ClientSession client = context.Client;
        if (client.Transactions.Open is not { } transaction)
        {
            context.Reply.WriteError("ERR EXEC without MULTI"u8);
            return;
        }

        try
        {
            Execute(ref context, client, transaction);
        }
        catch
        {
            // It may hold memory of the store, and nothing runs it any more.
            client.Transactions.Open = null;
            transaction.Release();
            throw;
        }

        // It is executed again later: something has changed before it began.
        if (context.RetryAfter is not null)
            return;
        client.Transactions.Reset();
        context.Scratch.Pools.ReturnTransaction(transaction);
    }

    private static void Execute(ref CommandContext context, ClientSession client, Transaction transaction)
    {
        if (transaction.IsBroken)
            context.Reply.WriteError("EXECABORT Transaction discarded because of previous errors."u8);
        else if (client.Transactions.Watched is { IsTouched: true })
            context.Reply.WriteNullArray();
        else
            TransactionRunner.Run(ref context, transaction);
    }
}
