// ZRANGESTORE dst src min max [BYSCORE | BYLEX] [REV] [LIMIT offset count]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.SortedSets;

/// <summary>Stores the members in a range in another key, and replies with their number.</summary>
internal static class ZRangeStoreCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ZRANGESTORE",
        Arity = -5,
        Flags = CommandFlags.Write | CommandFlags.DenyOom,
        Group = CommandGroup.SortedSet,
        Since = "6.2.0",
        Keys =
        [
            KeySpec.Range(1, 0, 1, KeySpecFlags.OW | KeySpecFlags.Update),
            KeySpec.Range(2, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access),
        ],
        Event = SortedSetEvents.RangeStore,
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!RangeQuery.TryParse(ref context, 2, RangeForm.Store, out RangeQuery query))
            return;
        context.LatchKeys(1, 1, 2);
        if (!context.TryOpen(2, RecordType.SortedSet, countsLookup: true, out RecordHandle source))
            return;
        SortedSetValue members = new(source);
        var result = SortedSetValue.Detached(context.Store);
        if (members.Exists)
        {
            RankRange range = query.Resolve(ref context, in members);
            if (query.IsByRank)
                result.Expect(range.Count, 0);
            using ScoredMembers gathered = new();
            SortedSetGathering gathering = new(result, gathered);
            foreach (ScoredMember member in members.Range(range.First, range.Count, query.IsReverse))
                gathering.Add(member.Member, member.Score);
            result = gathering.Finish();
        }

        long length = result.Length;
        RecordHandle target = context.OpenTarget(1, length > 0);
        result.StoreTo(ref target);
        context.Reply.WriteInteger(length);
    }
}
