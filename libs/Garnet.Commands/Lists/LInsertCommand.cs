// LINSERT key BEFORE | AFTER pivot element
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Lists;

namespace Garnet.Commands.Lists;

/// <summary>
/// Inserts an element before or after the first one that equals the pivot, and replies with the length; -1 if there is no pivot.
/// </summary>
internal static class LInsertCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LINSERT",
        Arity = 5,
        Flags = CommandFlags.Write | CommandFlags.DenyOom,
        Group = CommandGroup.List,
        Since = "2.2.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Insert)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        bool isAfter = context.Is(2, "AFTER"u8);
        if (!isAfter && !context.Is(2, "BEFORE"u8))
        {
            context.Reply.WriteError(ErrorText.Syntax);
            return;
        }

        if (!ListKey.TryOpen(ref context, 1, out ListValue list))
            return;
        if (!list.Exists)
        {
            context.Reply.WriteInteger(0);
            return;
        }

        list.Expect(1, context[4].Length);
        long index = list.IndexOf(context[3]);
        if (index < 0)
        {
            context.Reply.WriteInteger(-1);
            return;
        }

        if (isAfter)
            list.InsertBehind(index, context[4]);
        else
            list.InsertAt(index, context[4]);
        context.Notify(ListEvents.Insert, 1);
        context.Reply.WriteInteger(list.Length);
    }
}
