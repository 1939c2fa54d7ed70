// ZMPOP numkeys key [key ...] MIN | MAX [COUNT count]
using Garnet.Engine.Arguments;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.SortedSets;

/// <summary>Removes members from the first non-empty sorted set, and replies with its key and the members.</summary>
internal static class ZMPopCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ZMPOP",
        Arity = -4,
        Flags = CommandFlags.Write,
        Group = CommandGroup.SortedSet,
        Since = "7.0.0",
        Keys = [KeySpec.Counted(1, 0, 1, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Delete)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!MultiPopArguments.TryParse(ref context, 1, "MIN"u8, "MAX"u8, out MultiPopArguments arguments))
            return;
        context.LatchKeys(arguments.FirstKey, 1, arguments.Keys);
        if (!SortedSetPop.TryPopMany(ref context, in arguments))
            context.Reply.WriteNullArray();
    }
}
