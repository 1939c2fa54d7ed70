// LMPOP numkeys key [key ...] LEFT | RIGHT [COUNT count]
using Garnet.Engine.Arguments;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Lists;

/// <summary>Removes elements from the first non-empty list, and replies with its key and the elements.</summary>
internal static class LMPopCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LMPOP",
        Arity = -4,
        Flags = CommandFlags.Write,
        Group = CommandGroup.List,
        Since = "7.0.0",
        Keys = [KeySpec.Counted(1, 0, 1, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Delete)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!MultiPopArguments.TryParse(ref context, 1, "LEFT"u8, "RIGHT"u8, out MultiPopArguments arguments))
            return;
        context.LatchKeys(arguments.FirstKey, 1, arguments.Keys);
        if (!ListPop.TryPopMany(ref context, in arguments))
            context.Reply.WriteNullArray();
    }
}
