// Runs the commands of an EXEC so that other clients see all of them or none. Runs on the client's thread inside the store's epoch.
using System.Diagnostics;
using System.Runtime.InteropServices;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Engine.Execution;

/// <summary>
/// Latches every key that the queued commands declare and every watched key, in the store's order, before the first of them runs. When a
/// command works on the whole keyspace or on keys it does not declare, the transaction runs alone instead, under the store's barrier.
/// </summary>
internal static class TransactionRunner
{
    // EXEC's own arguments, replacing those of the last command it ran.
    private static readonly ArgumentRange[] OwnArguments = [new ArgumentRange(0, 4)];
    private static readonly byte[] Spellings = MakeSpellings();

    /// <summary>Runs the queued commands and writes their replies as one array, or a null array when a watched key was touched.</summary>
    public static void Run(ref CommandContext context, Transaction transaction)
    {
        ClientSession client = context.Client;
        int spelling = SpellingOf(context[0]);
        // Asked once: what is latched depends on it, and another client may change the user's rules meanwhile.
        bool isRestricted = client.Login.IsRestricted;
        bool alone = !TryCollectKeys(ref context, transaction, isRestricted);
        LoadOwnArguments(ref context, spelling);
        if (alone)
        {
            if (!context.Client.Executor.TryBeginAlone(ref context))
            {
                transaction.Keys.Clear();
                return;
            }

            // The rules may have changed while it waited for the others.
            isRestricted = client.Login.IsRestricted;
        }
        else
        {
            client.Transactions.Watched?.AddTo(transaction.Keys);
            client.Store.Latch(CollectionsMarshal.AsSpan(transaction.Keys), mayAdd: (transaction.Flags & CommandFlags.DenyOom) != 0);
        }

        client.Transactions.Open = null;
        RunUnlessTouched(ref context, transaction, isRestricted);
    }

    private static void RunUnlessTouched(ref CommandContext context, Transaction transaction, bool isRestricted)
    {
        if (context.Client.Transactions.Watched is { IsTouched: true })
        {
            context.Reply.WriteNullArray();
            return;
        }

        // From here on no other client can touch a watched key, and touches by the commands themselves no longer count.
        context.Client.Transactions.Watched?.Clear();
        RunQueued(ref context, transaction, isRestricted);
    }

    private static void RunQueued(ref CommandContext context, Transaction transaction, bool isRestricted)
    {
        int spelling = SpellingOf(context[0]);
        ClientSession client = context.Client;
        Command exec = context.Command;
        int database = client.Store.Database;
        EffectScope effects = new(database);
        ClientUser? user = client.Login.CurrentUser;
        client.Transactions.Executed = transaction;
        context.Scratch.Batches.RanTransaction = true;
        long begin = context.Reply.BytesWritten;
        context.Reply.WriteArray(transaction.Count);
        foreach (QueuedCommand queued in transaction.Commands)
        {
            if (EffectScope.MayHaveEffects(ref context, queued.Command))
                effects.Follow(client);
            context.Load(transaction.Buffer, transaction.ArgumentsOf(queued), transaction.Held);
            context.Command = queued.Command;
            context.EarlierReplyBytes = context.Reply.BytesWritten - begin;
            if (!(isRestricted || HasLoggedInRestricted(client, user)) || IsStillPermitted(ref context))
                context.Client.Executor.Runner.Call(ref context);
            Debug.Assert(context.Pending is null, "A command of a transaction must not wait.");
        }

        client.Transactions.Executed = null;
        context.EarlierReplyBytes = 0;
        context.Command = exec;
        LoadOwnArguments(ref context, spelling);
        context.SuppressEffect();
        HandOn(client, database, effects);
    }

    // AUTH and HELLO may be queued, too.
    private static bool HasLoggedInRestricted(ClientSession client, ClientUser? before) =>
        !ReferenceEquals(client.Login.CurrentUser, before) && client.Login.IsRestricted;

    // The rules may have changed since the command was queued.
    private static bool IsStillPermitted(ref CommandContext context)
    {
        Refusal refusal = context.Client.Executor.AskGate(GateMask.Permission, ref context).Refusal;
        if (refusal.Kind == RefusalKind.None)
            return true;
        string reason = refusal.Kind switch
        {
            RefusalKind.CommandDenied => "no permission to execute the command or subcommand",
            RefusalKind.KeyDenied => "no permission to touch the specified keys",
            RefusalKind.ChannelDenied => "no permission to access one of the channels used as arguments",
            _ => "no permission",
        };
        ArgumentText.WriteError(
            ref context,
            "NOPERM ACLs rules changed between the moment the transaction was accumulated and the EXEC call. This command is no longer allowed for the following reason: "
                + reason
        );
        return false;
    }

    // As it was sent, for MONITOR: one bit per letter says that it was lower-case.
    private static void LoadOwnArguments(ref CommandContext context, int spelling) =>
        context.Load(Spellings.AsSpan(4 * spelling, 4), OwnArguments);

    private static int SpellingOf(ReadOnlySpan<byte> name)
    {
        int spelling = 0;
        for (int i = 0; i < name.Length; i++)
            spelling |= ((name[i] >> 5) & 1) << i;
        return spelling;
    }

    private static byte[] MakeSpellings()
    {
        byte[] spellings = new byte[16 * 4];
        for (int i = 0; i < spellings.Length; i++)
            spellings[i] = (byte)("EXEC"u8[i % 4] | (((i / 4) >> (i % 4)) & 1) << 5);
        return spellings;
    }

    private static void HandOn(ClientSession client, int database, in EffectScope effects)
    {
        // A script that was aborted leaves half a transaction.
        if (!client.Propagation.HasEffects || !effects.HasEffects(client) || client.Propagation.IsHalf)
        {
            client.Propagation.Discard();
            return;
        }

        effects.Return(client);
        client.Propagation.Commit(client, database);
    }

    private static bool TryCollectKeys(ref CommandContext context, Transaction transaction, bool isRestricted)
    {
        if ((transaction.Flags & (CommandFlags.WholeKeyspace | CommandFlags.MovableKeys)) != 0)
            return false;
        List<KeyPosition> positions = transaction.Positions;
        int database = context.Store.Database;
        bool mayRefuse = isRestricted;
        foreach (QueuedCommand queued in transaction.Commands)
        {
            Command command = queued.Command;
            context.Load(transaction.Buffer, transaction.ArgumentsOf(queued), transaction.Held);
            mayRefuse |= (command.Flags & CommandFlags.NoAuth) != 0;
            if (command.Has(CommandTraits.SelectsDatabase))
            {
                // If the user's rules refuse it, the keys that follow are in another database.
                if (mayRefuse)
                    return false;
                database = Transaction.SelectedBy(ref context, database);
            }

            positions.Clear();
            if (command.HasUnknownKeys || !KeyExtractor.TryGetKeys(command, context, 0, positions))
                return false;
            foreach (KeyPosition position in positions)
                transaction.Keys.Add(new KeyReference(database, context.Store.Hash(context[position.Index])));
        }

        return true;
    }
}
