// HGETDEL key FIELDS numfields field [field ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Hashes;

namespace Garnet.Commands.Hashes;

/// <summary>Replies with the values of fields and removes the fields, and the key if none are left.</summary>
internal static class HGetDelCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HGETDEL",
        Arity = -5,
        Flags = CommandFlags.Write | CommandFlags.Fast,
        Group = CommandGroup.Hash,
        Traits = CommandTraits.NeedsNewReplicas,
        Since = "9.1.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Delete)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!FieldArguments.TryParse(ref context, out FieldArguments fields) || !HashKey.TryOpen(ref context, out HashValue hash))
            return;
        ChangedFields removed = new(ref context, fields.Count);
        context.Reply.WriteArray(fields.Count);
        for (int i = fields.First; i < context.Count; i++)
        {
            if (!hash.TryGet(context[i], out ReadOnlySpan<byte> value))
            {
                context.Reply.WriteNull();
                continue;
            }

            context.Reply.WriteBulk(value);
            hash.Remove(context[i]);
            removed.Add(i);
        }

        if (removed.Count > 0)
        {
            context.Notify(HashEvents.Del, 1);
            removed.DescribeRemoval(ref context);
        }

        context.CountChanges(removed.Count);
    }
}
