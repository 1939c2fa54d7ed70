// BZMPOP timeout numkeys key [key ...] MIN | MAX [COUNT count]
using Garnet.Engine.Arguments;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.SortedSets;

/// <summary>Removes members from the first non-empty sorted set, or waits for one.</summary>
internal static class BZMPopCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "BZMPOP",
        Arity = -5,
        Flags = CommandFlags.Write | CommandFlags.Blocking,
        Group = CommandGroup.SortedSet,
        Since = "7.0.0",
        Keys = [KeySpec.Counted(2, 0, 1, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Delete)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (
            !MultiPopArguments.TryParse(ref context, 2, "MIN"u8, "MAX"u8, out MultiPopArguments arguments)
            || !BlockingTimeout.TryGetSeconds(ref context, 1, out long deadlineMs)
        )
        {
            return;
        }

        if (!context.MustQueue(arguments.FirstKey, arguments.Keys))
        {
            context.LatchKeys(arguments.FirstKey, 1, arguments.Keys);
            if (SortedSetPop.TryPopMany(ref context, in arguments, hasLooked: true))
                return;
        }

        if (context.MayBlock)
            context.Block(RecordType.SortedSet, arguments.FirstKey, arguments.Keys, deadlineMs);
        else
            context.Reply.WriteNullArray();
    }
}
