// ZREMRANGEBYRANK key start stop
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.SortedSets;

/// <summary>Removes the members in a range of ranks, and replies with their number.</summary>
internal static class ZRemRangeByRankCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ZREMRANGEBYRANK",
        Arity = 4,
        Flags = CommandFlags.Write,
        Group = CommandGroup.SortedSet,
        Since = "2.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Delete)],
        Event = SortedSetEvents.RemoveByRank,
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (
            !context.TryGetInteger(2, out long start)
            || !context.TryGetInteger(3, out long stop)
            || !SortedSetKey.TryOpen(ref context, 1, out SortedSetValue members)
        )
        {
            return;
        }

        var range = IndexRange.Resolve(start, stop, members.Length);
        long removed = range.Count == 0 ? 0 : members.RemoveRange(range.First, range.Count);
        context.CountChanges(removed);
        context.Reply.WriteInteger(removed);
    }
}
