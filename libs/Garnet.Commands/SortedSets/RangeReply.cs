// Shared implementation of the range commands that reply with members. Stateless.
using Garnet.Engine.Execution;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.SortedSets;

/// <summary>Replies with the members of a range.</summary>
internal static class RangeReply
{
    /// <summary>Executes <c>name key min max [option ...]</c>.</summary>
    public static void Execute(ref CommandContext context, RangeForm form)
    {
        if (
            !RangeQuery.TryParse(ref context, 1, form, out RangeQuery query)
            || !SortedSetKey.TryOpenForReading(ref context, out SortedSetValue members)
        )
        {
            return;
        }

        RankRange range = members.Exists ? query.Resolve(ref context, in members) : default;
        if (context.MayReplyInPieces && members.TakeSnapshotIfLarge(range.Count) is { } snapshot)
        {
            context.Suspend(new ScoredPieces(snapshot, range, query.IsReverse, query.WithScores));
            return;
        }

        ScoredReply.WriteHeader(ref context.Reply, range.Count, query.WithScores);
        if (range.Count == 0)
            return;
        foreach (ScoredMember member in members.Range(range.First, range.Count, query.IsReverse))
            ScoredReply.Write(ref context.Reply, member, query.WithScores);
    }
}
