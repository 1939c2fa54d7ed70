// ZREM key member [member ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.SortedSets;

/// <summary>Removes members, and replies with the number removed.</summary>
internal static class ZRemCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ZREM",
        Arity = -3,
        Flags = CommandFlags.Write | CommandFlags.Fast,
        Group = CommandGroup.SortedSet,
        Since = "1.2.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Delete)],
        Event = SortedSetEvents.Remove,
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!SortedSetKey.TryOpen(ref context, 1, out SortedSetValue members))
            return;
        int removed = 0;
        for (int i = 2; i < context.Count && members.Exists; i++)
            removed += members.Remove(context[i]) ? 1 : 0;
        context.CountChanges(removed);
        context.Reply.WriteInteger(removed);
    }
}
