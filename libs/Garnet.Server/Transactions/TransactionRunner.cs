// Runs the commands of an EXEC so that other clients see all of them or none. Runs on the client's thread inside the store's epoch.
using System.Runtime.InteropServices;
using Garnet.Protocol;
using Garnet.Server.Commands;
using Garnet.Server.Sessions;
using Garnet.Store;

namespace Garnet.Server.Transactions;

/// <summary>
/// Latches every key that the queued commands declare, in the store's order, before the first of them runs. When a command works on the whole
/// keyspace or on keys it does not declare, the transaction runs alone instead, under the store's barrier.
/// </summary>
internal static class TransactionRunner
{
    /// <summary>Runs the queued commands and writes their replies as one array, or a null array when a watched key was touched.</summary>
    public static void Run(ref CommandContext context, Transaction transaction)
    {
        ClientSession client = context.Client;
        List<KeyReference> keys = [];
        bool alone = !TryCollectKeys(ref context, transaction, keys);
        if (alone)
            client.Store.BeginExclusive();
        else
            client.Store.Latch(CollectionsMarshal.AsSpan(keys));

        try
        {
            RunUnlessTouched(ref context, transaction);
        }
        finally
        {
            client.Store.EndCommand();
            if (alone)
                client.Store.EndExclusive();
        }
    }

    private static void RunUnlessTouched(ref CommandContext context, Transaction transaction)
    {
        // Watched keys are not latched, so a change of one may still land while the commands run; it then counts as having come after them.
        // A change that was acknowledged before EXEC arrived is always seen here.
        if (context.Client.Watched is { IsTouched: true })
            context.Reply.WriteNullArray();
        else
            RunQueued(ref context, transaction);
    }

    private static void RunQueued(ref CommandContext context, Transaction transaction)
    {
        ClientSession client = context.Client;
        Command exec = context.Command;
        client.IsExecuting = true;
        context.Reply.WriteArray(transaction.Count);
        foreach (QueuedCommand queued in transaction.Commands)
        {
            context.Load(transaction.Buffer, transaction.ArgumentsOf(queued));
            context.Command = queued.Command;
            CommandDispatcher.Call(ref context);
        }

        client.IsExecuting = false;
        context.Command = exec;
        context.SuppressEffect();
        CommandDispatcher.FlushEffects(client, asTransaction: true);
    }

    private static bool TryCollectKeys(ref CommandContext context, Transaction transaction, List<KeyReference> keys)
    {
        List<KeyPosition> positions = [];
        int database = context.Store.Database;
        foreach (QueuedCommand queued in transaction.Commands)
        {
            Command command = queued.Command;
            context.Load(transaction.Buffer, transaction.ArgumentsOf(queued));
            if ((command.Flags & (CommandFlags.WholeKeyspace | CommandFlags.MovableKeys)) != 0)
                return false;
            if (command.Descriptor.Name == "SELECT")
                database = IntegerText.TryParse(context[1], out long selected) && selected >= 0 && selected < context.Server.Store.Databases ? (int)selected : database;
            positions.Clear();
            if (!KeyExtractor.TryGetKeys(command, context, 0, positions))
                return false;
            foreach (KeyPosition position in positions)
                keys.Add(new KeyReference(database, context.Store.Hash(database, context[position.Index])));
        }

        return true;
    }
}
