// Shared implementation of XRANGE and XREVRANGE. Stateless.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>Replies with the entries in a range of IDs.</summary>
internal static class EntryRange
{
    /// <summary>Executes <c>name key one other [COUNT count]</c>; in reverse, the upper end comes first.</summary>
    public static void Execute(ref CommandContext context, bool isReverse)
    {
        if (
            !StreamIdText.TryGetStart(ref context, isReverse ? 3 : 2, out StreamId start)
            || !StreamIdText.TryGetEnd(ref context, isReverse ? 2 : 3, out StreamId end)
        )
        {
            return;
        }

        long? maxCount = null;
        for (int i = 4; i < context.Count; i += 2)
        {
            if (!context.Is(i, "COUNT"u8) || i + 1 == context.Count)
            {
                context.Reply.WriteError(ErrorText.Syntax);
                return;
            }

            if (!context.TryGetInteger(i + 1, out long count))
                return;
            maxCount = Math.Max(count, 0);
        }

        if (!StreamKey.TryOpenForReading(ref context, 1, out StreamValue stream))
            return;
        if (!stream.Exists)
            context.Reply.WriteArray(0);
        else if (maxCount == 0)
            context.Reply.WriteNullArray();
        else
            Reply(ref context, in stream, start, end, maxCount ?? 0, isReverse);
    }

    private static void Reply(
        ref CommandContext context,
        in StreamValue stream,
        StreamId start,
        StreamId end,
        long maxCount,
        bool isReverse
    )
    {
        int count = EntryReply.Count(stream.View, start, end, maxCount);
        if (context.MayReplyInPieces && stream.TakeSnapshotIfLarge(count) is { } snapshot)
            context.Suspend(new EntryPieces(snapshot, start, end, count, isReverse));
        else
            EntryReply.WriteCounted(ref context.Reply, stream.View, start, end, count, isReverse);
    }
}
