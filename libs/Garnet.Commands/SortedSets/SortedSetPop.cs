// Shared implementation of the sorted set commands that pop. Stateless.
using Garnet.Engine.Arguments;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.SortedSets;

/// <summary>Removes members from one end and replies with them.</summary>
internal static class SortedSetPop
{
    /// <summary>Executes <c>name key [count]</c>.</summary>
    public static void Execute(ref CommandContext context, bool isMax)
    {
        bool hasCount = context.Count == 3;
        long count = 1;
        if (context.Count > 3)
        {
            context.Reply.WriteError(ErrorText.Syntax);
            return;
        }

        if (
            (hasCount && !BoundedArgument.TryGetNatural(ref context, 2, out count))
            || !SortedSetKey.TryOpen(ref context, 1, out SortedSetValue members)
        )
        {
            return;
        }

        count = Math.Min(count, members.Length);
        bool inPairs = hasCount && context.Reply.ProtocolVersion >= 3;
        context.Reply.WriteArray((int)(inPairs ? count : count * 2));
        Pop(ref context, 1, ref members, isMax, count, inPairs);
    }

    /// <summary>
    /// Pops from the first non-empty sorted set, replies with its key and the members, and describes the effect; false if all are empty.
    /// Replies with an error if an earlier key holds another type.
    /// </summary>
    /// <param name="context">The command's context.</param>
    /// <param name="arguments">The command's arguments.</param>
    /// <param name="hasLooked">Whether Valkey looks up the key before it pops, which counts as one more access.</param>
    public static bool TryPopMany(ref CommandContext context, in MultiPopArguments arguments, bool hasLooked = false)
    {
        for (int i = 0; i < arguments.Keys; i++)
        {
            int key = arguments.FirstKey + i;
            if (!SortedSetKey.TryOpen(ref context, key, out SortedSetValue members))
                return true;
            if (!members.Exists)
                continue;
            if (hasLooked)
                members.Record.Usage.UseAgain();
            long count = Math.Min(arguments.Count, members.Length);
            context.Reply.WriteArray(2);
            context.Reply.WriteBulk(context[key]);
            context.Reply.WriteArray((int)count);
            Pop(ref context, key, ref members, arguments.IsLast, count, inPairs: true);
            if (context.HasSink)
                context.BeginEffect(3).Add(NameOf(arguments.IsLast)).Add(context[key]).Add(count);
            return true;
        }

        return false;
    }

    /// <summary>The name of the command that pops at this end.</summary>
    public static ReadOnlySpan<byte> NameOf(bool isMax) => isMax ? "ZPOPMAX"u8 : "ZPOPMIN"u8;

    /// <summary>Pops a number of members of a key, which must exist, and writes them after the reply's header.</summary>
    public static void Pop(ref CommandContext context, int key, ref SortedSetValue members, bool isMax, long count, bool inPairs)
    {
        if (count == 0)
            return;
        long length = members.Length;
        foreach (ScoredMember member in members.Range(isMax ? length - 1 : 0, count, isReverse: isMax))
        {
            if (inPairs)
                context.Reply.WriteArray(2);
            context.Reply.WriteBulk(member.Member);
            context.Reply.WriteDouble(member.Score);
        }

        members.RemoveRange(isMax ? length - count : 0, count);
        context.Notify(SortedSetEvents.PopAt(isMax), key);
        context.CountChanges(count);
    }
}
