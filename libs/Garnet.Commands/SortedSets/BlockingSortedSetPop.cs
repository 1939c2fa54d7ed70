// Shared implementation of BZPOPMIN and BZPOPMAX. Stateless.
using Garnet.Engine.Arguments;
using Garnet.Engine.Execution;
using Garnet.Store;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.SortedSets;

/// <summary>Pops a member from the first non-empty sorted set, or waits for one.</summary>
internal static class BlockingSortedSetPop
{
    /// <summary>Executes <c>name key [key ...] timeout</c>.</summary>
    public static void Execute(ref CommandContext context, bool isMax)
    {
        int keys = context.Count - 2;
        if (!BlockingTimeout.TryGetSeconds(ref context, context.Count - 1, out long deadlineMs))
            return;
        if (!context.MustQueue(1, keys) && TryPop(ref context, keys, isMax))
            return;
        if (context.MayBlock)
            context.Block(RecordType.SortedSet, 1, keys, deadlineMs);
        else
            context.Reply.WriteNullArray();
    }

    private static bool TryPop(ref CommandContext context, int keys, bool isMax)
    {
        if (keys > 1)
            context.LatchKeys(1, 1, keys);
        for (int key = 1; key <= keys; key++)
        {
            if (!SortedSetKey.TryOpen(ref context, key, out SortedSetValue members))
                return true;
            if (!members.Exists)
                continue;
            // Valkey looks up the key to check that it exists, and again to pop.
            members.Record.Usage.UseAgain();
            context.Reply.WriteArray(3);
            context.Reply.WriteBulk(context[key]);
            SortedSetPop.Pop(ref context, key, ref members, isMax, 1, inPairs: false);
            context.ReplaceEffect(SortedSetPop.NameOf(isMax), context[key]);
            return true;
        }

        return false;
    }
}
