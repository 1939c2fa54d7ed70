// LSET key index element
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Lists;

namespace Garnet.Commands.Lists;

/// <summary>Replaces the element at an index.</summary>
internal static class LSetCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LSET",
        Arity = 4,
        Flags = CommandFlags.Write | CommandFlags.DenyOom,
        Group = CommandGroup.List,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Update)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!ListKey.TryOpen(ref context, 1, out ListValue list))
            return;
        if (!list.Exists)
        {
            context.Reply.WriteError(ErrorText.NoSuchKey);
            return;
        }

        if (!context.TryGetInteger(2, out long index))
            return;
        list.Expect(1, context[3].Length);

        // Valkey truncates the index to 32 bits.
        index = unchecked((int)index);
        if (index < 0)
            index += list.Length;
        if (index < 0 || index >= list.Length)
        {
            context.Reply.WriteError("ERR index out of range"u8);
            return;
        }

        list.SetAt(index, context[3]);
        context.Notify(ListEvents.Set, 1);
        context.Reply.WriteOk();
    }
}
