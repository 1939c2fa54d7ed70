// ZREMRANGEBYSCORE key min max
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.SortedSets;

/// <summary>Removes the members with scores in a range, and replies with their number.</summary>
internal static class ZRemRangeByScoreCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ZREMRANGEBYSCORE",
        Arity = 4,
        Flags = CommandFlags.Write,
        Group = CommandGroup.SortedSet,
        Since = "1.2.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Delete)],
        Event = SortedSetEvents.RemoveByScore,
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (
            !RangeArguments.TryGetScores(ref context, 2, 3, out ScoreRange range)
            || !SortedSetKey.TryOpen(ref context, 1, out SortedSetValue members)
        )
        {
            return;
        }

        RankRange ranks = members.Exists ? members.RanksOf(range) : default;
        long removed = ranks.Count == 0 ? 0 : members.RemoveRange(ranks.First, ranks.Count);
        context.CountChanges(removed);
        context.Reply.WriteInteger(removed);
    }
}
