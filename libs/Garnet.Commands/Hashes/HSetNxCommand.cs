// HSETNX key field value
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Hashes;

namespace Garnet.Commands.Hashes;

/// <summary>Sets a field of a hash if it does not exist.</summary>
internal static class HSetNxCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HSETNX",
        Arity = 4,
        Flags = CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        Group = CommandGroup.Hash,
        Since = "2.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Insert)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!HashKey.TryOpen(ref context, out HashValue hash))
            return;
        if (hash.Contains(context[2]))
        {
            context.Reply.WriteInteger(0);
            return;
        }

        // Where the effect is replayed, a field that has expired here may still exist.
        if (hash.ExpiringFields > 0)
            context.ReplaceEffect("HSET"u8, context[1], context[2], context[3]);
        long expired = context.Store.Slot.ExpiredFields;
        hash.Set(context[2], context[3]);
        HashEvents.NotifyOverwritten(in context, HashEvents.Set, expired);
        context.Reply.WriteInteger(1);
    }
}
