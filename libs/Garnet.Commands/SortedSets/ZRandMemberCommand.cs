// ZRANDMEMBER key [count [WITHSCORES]]
using Garnet.Engine.Arguments;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.SortedSets;

/// <summary>Replies with random members: distinct ones, or, for a negative count, with possible repetitions.</summary>
internal static class ZRandMemberCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ZRANDMEMBER",
        Arity = -2,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.SortedSet,
        Since = "6.2.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Tips = ["nondeterministic_output"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        RandomCount count = default;
        bool hasCount = context.Count > 2;
        bool withScores = context.Count == 4;
        if (hasCount && !TryGetOptions(ref context, withScores, out count))
            return;
        if (!SortedSetKey.TryOpenForReading(ref context, out SortedSetValue members))
            return;
        if (hasCount)
            ReplyWithMany(ref context, in members, count, withScores);
        else if (members.Exists)
            ReplyWithOne(ref context, in members);
        else
            context.Reply.WriteNull();
    }

    private static bool TryGetOptions(ref CommandContext context, bool withScores, out RandomCount count)
    {
        if (!RandomCount.TryParse(ref context, 2, out count))
            return false;
        if (context.Count > 4 || (withScores && !context.Is(3, "WITHSCORES"u8)))
            context.Reply.WriteError(ErrorText.Syntax);
        else if (withScores && count.Elements > long.MaxValue / 2)
            context.Reply.WriteError("ERR value is out of range"u8);
        else
            return true;
        return false;
    }

    private static void ReplyWithOne(ref CommandContext context, in SortedSetValue members)
    {
        foreach (ScoredMember member in members.Sample(1, isDistinct: false))
            context.Reply.WriteBulk(member.Member);
    }

    private static void ReplyWithMany(ref CommandContext context, in SortedSetValue members, RandomCount count, bool withScores)
    {
        if (!count.TryGetReplies(ref context, members.Length, members.Record.Contents.MemoryBytes, out int replies))
            return;
        ScoredReply.WriteHeader(ref context.Reply, replies, withScores);
        if (replies == 0)
            return;
        foreach (ScoredMember member in members.Sample(replies, count.IsDistinct))
            ScoredReply.Write(ref context.Reply, member, withScores);
    }
}
