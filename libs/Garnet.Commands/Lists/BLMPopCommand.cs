// BLMPOP timeout numkeys key [key ...] LEFT | RIGHT [COUNT count]
using Garnet.Engine.Arguments;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Lists;

/// <summary>Removes elements from the first non-empty list, or waits for one.</summary>
internal static class BLMPopCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "BLMPOP",
        Arity = -5,
        Flags = CommandFlags.Write | CommandFlags.Blocking,
        Group = CommandGroup.List,
        Since = "7.0.0",
        Keys = [KeySpec.Counted(2, 0, 1, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Delete)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (
            !MultiPopArguments.TryParse(ref context, 2, "LEFT"u8, "RIGHT"u8, out MultiPopArguments arguments)
            || !BlockingTimeout.TryGetSeconds(ref context, 1, out long deadlineMs)
        )
        {
            return;
        }

        bool mustQueue = context.MustQueue(arguments.FirstKey, arguments.Keys);
        if (!mustQueue)
        {
            context.LatchKeys(arguments.FirstKey, 1, arguments.Keys);
            if (ListPop.TryPopMany(ref context, in arguments))
                return;
        }

        if (context.MayBlock)
            context.Block(RecordType.List, arguments.FirstKey, arguments.Keys, deadlineMs);
        else
            context.Reply.WriteNullArray();
    }
}
