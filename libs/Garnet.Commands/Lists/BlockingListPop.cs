// Shared implementation of BLPOP and BRPOP. Stateless.
using Garnet.Engine.Arguments;
using Garnet.Engine.Execution;
using Garnet.Store;
using Garnet.Store.Collections.Lists;

namespace Garnet.Commands.Lists;

/// <summary>Pops an element from the first non-empty list, or waits for one.</summary>
internal static class BlockingListPop
{
    /// <summary>Executes <c>name key [key ...] timeout</c>.</summary>
    public static void Execute(ref CommandContext context, ListEnd end)
    {
        int keys = context.Count - 2;
        if (!BlockingTimeout.TryGetSeconds(ref context, context.Count - 1, out long deadlineMs))
            return;
        if (!context.MustQueue(1, keys) && TryPop(ref context, keys, end))
            return;
        if (context.MayBlock)
            context.Block(RecordType.List, 1, keys, deadlineMs);
        else
            context.Reply.WriteNullArray();
    }

    private static bool TryPop(ref CommandContext context, int keys, ListEnd end)
    {
        if (keys > 1)
            context.LatchKeys(1, 1, keys);
        for (int key = 1; key <= keys; key++)
        {
            if (!ListKey.TryOpen(ref context, key, out ListValue list))
                return true;
            if (!list.Exists)
                continue;
            context.Reply.WriteArray(2);
            context.Reply.WriteBulk(context[key]);
            ListPop.PopOne(ref context, key, ref list, end);
            context.ReplaceEffect(end == ListEnd.Left ? "LPOP"u8 : "RPOP"u8, context[key]);
            return true;
        }

        return false;
    }
}
