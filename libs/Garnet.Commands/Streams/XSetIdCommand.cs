// XSETID key last-id [ENTRIESADDED entries-added] [MAXDELETEDID max-deleted-id]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>Sets the counters of a stream; meant for replicating streams.</summary>
internal static class XSetIdCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "XSETID",
        Arity = -3,
        Flags = CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        Group = CommandGroup.Stream,
        Since = "5.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Update)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (
            !StreamIdText.TryGet(ref context, 2, out StreamId last)
            || !TryParse(ref context, last, out long entriesAdded, out StreamId maxDeleted)
            || !StreamKey.TryOpen(ref context, 1, out StreamValue stream)
        )
        {
            return;
        }

        StreamView view = stream.View;
        if (!stream.Exists)
            context.Reply.WriteError(ErrorText.NoSuchKey);
        else if (last < view.MaxDeletedId)
            context.Reply.WriteError("ERR The ID specified in XSETID is smaller than current max_deleted_entry_id"u8);
        else if (view.Length > 0 && EntryReply.HasAfter(in view, last))
            context.Reply.WriteError("ERR The ID specified in XSETID is smaller than the target stream top item"u8);
        else if (view.Length > 0 && entriesAdded != -1 && view.Length > entriesAdded)
            context.Reply.WriteError("ERR The entries_added specified in XSETID is smaller than the target stream length"u8);
        else
            Set(ref context, ref stream, last, entriesAdded, maxDeleted);
    }

    private static bool TryParse(ref CommandContext context, StreamId last, out long entriesAdded, out StreamId maxDeleted)
    {
        entriesAdded = -1;
        maxDeleted = StreamId.Min;
        for (int i = 3; i < context.Count; i += 2)
        {
            bool hasMore = i + 1 < context.Count;
            if (hasMore && context.Is(i, "ENTRIESADDED"u8))
            {
                if (!context.TryGetInteger(i + 1, out entriesAdded))
                    return false;
                if (entriesAdded >= 0)
                    continue;
                context.Reply.WriteError("ERR entries_added must be positive"u8);
                return false;
            }

            if (!hasMore || !context.Is(i, "MAXDELETEDID"u8))
            {
                context.Reply.WriteError(ErrorText.Syntax);
                return false;
            }

            if (!StreamIdText.TryGet(ref context, i + 1, out maxDeleted))
                return false;
            if (last >= maxDeleted)
                continue;
            context.Reply.WriteError("ERR The ID specified in XSETID is smaller than the provided max_deleted_entry_id"u8);
            return false;
        }

        return true;
    }

    private static void Set(ref CommandContext context, ref StreamValue stream, StreamId last, long entriesAdded, StreamId maxDeleted)
    {
        StreamView view = stream.View;
        stream.SetFacts(
            last,
            entriesAdded == -1 ? view.EntriesAdded : entriesAdded,
            maxDeleted == StreamId.Min ? view.MaxDeletedId : maxDeleted
        );
        context.Notify(StreamEvents.SetId, 1);
        context.Reply.WriteOk();
    }
}
