// LREM key count element
using Garnet.Engine.Arguments;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Lists;

namespace Garnet.Commands.Lists;

/// <summary>
/// Removes matching elements: the first ones, the last ones if the count is negative, all if it is 0; replies with the number removed.
/// </summary>
internal static class LRemCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LREM",
        Arity = 4,
        Flags = CommandFlags.Write,
        Group = CommandGroup.List,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Delete)],
        Event = ListEvents.Remove,
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (
            !BoundedArgument.TryGet(ref context, 2, -long.MaxValue, long.MaxValue, out long count)
            || !ListKey.TryOpen(ref context, 1, out ListValue list)
        )
        {
            return;
        }

        long removed = list.Exists ? list.Remove(context[3], Math.Abs(count), fromEnd: count < 0) : 0;
        context.CountChanges(removed);
        context.Reply.WriteInteger(removed);
    }
}
