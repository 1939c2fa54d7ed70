// COPY source destination [DB destination-db] [REPLACE]
using Garnet.Engine.Arguments;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;
using Garnet.Store.Collections;

namespace Garnet.Commands.Keys;

/// <summary>Copies a value with its expiry to another key, optionally in another database.</summary>
internal static class CopyCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "COPY",
        Arity = -3,
        Flags = CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.WholeKeyspace,
        Group = CommandGroup.Generic,
        Categories = AclCategories.Keyspace,
        Since = "6.2.0",
        Keys =
        [
            KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access),
            KeySpec.Range(2, 0, 1, KeySpecFlags.OW | KeySpecFlags.Update),
        ],
        FindDatabases = FindDatabases,
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!TryGetOptions(ref context, out int database, out bool replaces))
            return;
        if (database == context.Store.Database && context[1].SequenceEqual(context[2]))
        {
            context.Reply.WriteError(ErrorText.SameObject);
            return;
        }

        // The copy's size is known only now; the memory must be reserved before the first latch.
        RecordInfoReader size = default;
        if (
            context.Store.Reads.ReadAny(context[1], context.Hash(1), ref size) == ReadOutcome.Found
            && !context.Store.Memory.TryReserve(size.Length)
        )
        {
            context.Reply.WriteError(ErrorText.OutOfMemory);
            return;
        }

        context.Reply.WriteInteger(TryCopy(ref context, database, replaces) ? 1 : 0);
    }

    private static bool TryCopy(ref CommandContext context, int database, bool replaces)
    {
        ulong sourceHash = context.Hash(1);
        ulong targetHash = context.Store.Hash(context[2]);
        context.LatchKeys([new KeyReference(context.Store.Database, sourceHash), new KeyReference(database, targetHash)]);
        RecordHandle source = context.Open(1);
        context.CountLookup(source.Exists, 1);
        if (!source.Exists)
            return false;
        RecordHandle target = context.Store.Open(database, context[2], targetHash);
        if (target.Exists && !replaces)
            return false;
        context.NotifyInsteadOfDel(null);
        if (context.HasSink && source.Contents.DataType.HasElementExpiry)
        {
            context.KeepEffect();
            ExpiredFieldEffects effects = new(context.Client.Propagation.Effects, context.Store.Database, database, context[2]);
            RecordTransfer.Copy(ref source, ref target, ref effects);
            effects.End();
        }
        else
        {
            RecordTransfer.Copy(ref source, ref target);
        }

        context.Notify(KeyEvents.CopyTo, database, 2);
        return true;
    }

    private static bool TryGetOptions(ref CommandContext context, out int database, out bool replaces)
    {
        database = context.Store.Database;
        replaces = false;
        for (int i = 3; i < context.Count; i++)
        {
            if (context.Is(i, "REPLACE"u8))
            {
                replaces = true;
            }
            else if (context.Is(i, "DB"u8) && i + 1 < context.Count)
            {
                if (!Int32Argument.TryGetDatabase(ref context, ++i, out database))
                    return false;
            }
            else
            {
                context.Reply.WriteError(ErrorText.Syntax);
                return false;
            }
        }

        return true;
    }

    // Each DB counts, since the last of several wins; none when the options are invalid.
    private static void FindDatabases(in CommandContext context, int offset, List<int> databases)
    {
        int count = context.Count - offset;
        for (int i = 3; i < count; i++)
        {
            if (context.Is(offset + i, "REPLACE"u8))
                continue;
            if (!context.Is(offset + i, "DB"u8) || i + 1 == count)
            {
                databases.Clear();
                return;
            }

            databases.Add(++i);
        }
    }

    // A replica, and a replay of the log, do not know which fields had expired, and copy them: they are deleted from that copy.
    private ref struct ExpiredFieldEffects(EffectBuffer effects, int selected, int database, ReadOnlySpan<byte> key) : IElementVisitor
    {
        private readonly ReadOnlySpan<byte> _key = key;
        private bool _hasFields;

        public void Visit(ReadOnlySpan<byte> element)
        {
            if (!_hasFields)
                Select(database);
            _hasFields = true;
            effects.Begin(3).Add("HDEL"u8).Add(_key).Add(element);
        }

        public readonly void End()
        {
            if (_hasFields)
                Select(selected);
        }

        private readonly void Select(int next)
        {
            if (selected != database)
                effects.Begin(2).Add("SELECT"u8).Add(next);
        }
    }
}
