// ZREMRANGEBYLEX key min max
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.SortedSets;

/// <summary>Removes the members in a lexicographic range, where all scores are equal, and replies with their number.</summary>
internal static class ZRemRangeByLexCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ZREMRANGEBYLEX",
        Arity = 4,
        Flags = CommandFlags.Write,
        Group = CommandGroup.SortedSet,
        Since = "2.8.9",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Delete)],
        Event = SortedSetEvents.RemoveByLex,
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (
            !RangeArguments.TryGetMembers(ref context, 2, 3, out LexRange range)
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
