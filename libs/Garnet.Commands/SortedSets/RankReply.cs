// Shared implementation of ZRANK and ZREVRANK. Stateless.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.SortedSets;

/// <summary>Replies with a member's rank.</summary>
internal static class RankReply
{
    /// <summary>Executes <c>name key member [WITHSCORE]</c>.</summary>
    public static void Execute(ref CommandContext context, bool isReverse)
    {
        bool withScore = context.Count > 3;
        if (context.Count > 4)
        {
            context.WriteArityError();
            return;
        }

        if (withScore && !context.Is(3, "WITHSCORE"u8))
        {
            context.Reply.WriteError(ErrorText.Syntax);
            return;
        }

        if (!SortedSetKey.TryOpenForReading(ref context, out SortedSetValue members))
            return;
        long rank = members.Exists ? members.Rank(context[2], isReverse) : -1;
        if (rank < 0 && withScore)
            context.Reply.WriteNullArray();
        else if (rank < 0)
            context.Reply.WriteNull();
        else if (!withScore)
            context.Reply.WriteInteger(rank);
        else
            ReplyWithScore(ref context, in members, rank);
    }

    private static void ReplyWithScore(ref CommandContext context, in SortedSetValue members, long rank)
    {
        members.TryGetScore(context[2], out double score);
        context.Reply.WriteArray(2);
        context.Reply.WriteInteger(rank);
        context.Reply.WriteDouble(score);
    }
}
