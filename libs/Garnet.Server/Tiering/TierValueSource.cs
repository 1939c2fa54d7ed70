// Brings values from disk for commands. Thread-safe; called inside a batch, before the command's first latch.
using System.Runtime.InteropServices;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;
using Garnet.Store;
using Garnet.Store.Tiering;

namespace Garnet.Server.Tiering;

/// <summary>Asks for the keys that a command declares and whose values it needs.</summary>
internal sealed class TierValueSource(HybridLogStore store) : IValueSource
{
    private static readonly byte[] Failed = "IOERR the value is on disk and cannot be read"u8.ToArray();

    /// <inheritdoc/>
    public GateAnswer Fetch(ref CommandContext context)
    {
        Command command = context.Command;
        if (command.HasOneKey && command.Descriptor.FindKeys is null)
            return FetchOne(ref context, command);
        if (command.IsExec)
            return FetchQueued(ref context);
        if (command.Descriptor is { Keys.Length: 0, FindKeys: null })
            return default;
        List<KeyReference> keys = [];
        AddKeys(in context, command, context.Store.Database, keys);
        return Prepare(ref context, CollectionsMarshal.AsSpan(keys));
    }

    /// <inheritdoc/>
    public void ReadAhead(ClientSession client, ReadOnlySpan<PreparedCommand> requests)
    {
        Span<KeyReference> keys = client.Executor.Threads.Current.Pools.KeyReferences(requests.Length);
        int count = 0;
        foreach (ref readonly PreparedCommand request in requests)
        {
            bool needsValue =
                // Where the flags depend on arguments, most calls ignore the value (SET).
                request is { HasHash: true, Command: { HasOneKey: true, Descriptor.KeyFlags: null } command }
                && !command.Has(CommandTraits.IgnoresValue)
                && !IgnoresValue(command.Descriptor.Keys[0].Flags);
            if (needsValue)
                keys[count++] = new KeyReference(request.Database, request.Hash);
        }

        ColdKeys.ReadAhead(client.Store, keys[..count]);
    }

    private GateAnswer FetchOne(ref CommandContext context, Command command)
    {
        CommandDescriptor descriptor = command.Descriptor;
        KeySpecFlags flags = descriptor.KeyFlags is { } resolve ? resolve(in context, 0) : descriptor.Keys[0].Flags;
        if (IgnoresValue(flags) && !Compares(in context, command))
            return default;
        ulong hash = context.Hash(command.SimpleFirstKey);
        int database = context.Store.Database;
        if (!ColdKeys.MayBeCold(store, store.Databases.Map.Salt(hash, store.Databases.Map.PhysicalOf(database))))
            return default;
        return Prepare(ref context, [new KeyReference(database, hash)]);
    }

    private static GateAnswer FetchQueued(ref CommandContext context)
    {
        if (context.Client.Transactions.Open is not { IsBroken: false } transaction)
            return default;
        List<KeyReference> keys = [];
        // A copy, since the queued commands are loaded into it.
        CommandContext queue = context;
        int database = context.Store.Database;
        foreach (QueuedCommand queued in transaction.Commands)
        {
            queue.Load(transaction.Buffer, transaction.ArgumentsOf(queued), transaction.Held);
            queue.Command = queued.Command;
            if (queued.Command.Has(CommandTraits.SelectsDatabase))
                database = Transaction.SelectedBy(ref queue, database);
            if (!queued.Command.Has(CommandTraits.IgnoresValue))
                AddKeys(in queue, queued.Command, database, keys);
        }

        return Prepare(ref context, CollectionsMarshal.AsSpan(keys));
    }

    private static void AddKeys(in CommandContext context, Command command, int database, List<KeyReference> keys)
    {
        List<KeyPosition> positions = [];
        KeyExtractor.TryGetKeys(command, in context, 0, positions);
        bool needsAll = Compares(in context, command);
        foreach (KeyPosition position in positions)
        {
            if (needsAll || !IgnoresValue(position.Flags))
                keys.Add(new KeyReference(database, context.Store.Hash(context[position.Index])));
        }
    }

    private static GateAnswer Prepare(ref CommandContext context, scoped ReadOnlySpan<KeyReference> keys) =>
        ColdKeys.Prepare(context.Store, keys, out Task? wait) switch
        {
            ColdOutcome.Warm => default,
            ColdOutcome.Wait => GateAnswer.WaitFor(wait),
            ColdOutcome.TooLarge => RefuseOrRunAlone(ref context),
            _ => GateAnswer.Refuse(Failed),
        };

    // An effect must not be refused: it runs alone, and reads one value after the other.
    private static GateAnswer RefuseOrRunAlone(ref CommandContext context)
    {
        if (!context.Origin.IsReplay)
            return RefusalKind.OutOfMemory;
        context.Store.HoldExclusive();
        return default;
    }

    private static bool Compares(in CommandContext context, Command command) =>
        command.Has(CommandTraits.Compares) || (command.Has(CommandTraits.MayCompare) && ArgumentText.HasWord(in context, 3, "IFEQ"u8));

    // What is overwritten or deleted need not be read.
    private static bool IgnoresValue(KeySpecFlags flags) =>
        (flags & (KeySpecFlags.OW | KeySpecFlags.RM)) != 0 && (flags & KeySpecFlags.Access) == 0;
}
