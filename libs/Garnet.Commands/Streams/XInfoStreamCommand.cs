// XINFO STREAM key [FULL [COUNT count]]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>
/// Replies with a map of a stream's properties; with FULL also with entries, groups, consumers and pending entries, up to a number of each.
/// </summary>
internal static class XInfoStreamCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "STREAM",
        Arity = -3,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Stream,
        Since = "5.0.0",
        Keys = [KeySpec.Range(2, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private const long DefaultCount = 10;

    private static void Execute(ref CommandContext context)
    {
        if (!XInfoCommand.TryOpen(ref context, out StreamValue stream))
            return;
        bool isFull = context.Count > 3;
        if (isFull && (context.Count is not (4 or 6) || !context.Is(3, "FULL"u8) || (context.Count == 6 && !context.Is(4, "COUNT"u8))))
        {
            StreamKey.WriteSubcommandError(ref context, "XINFO");
            return;
        }

        long count = DefaultCount;
        if (context.Count == 6 && !context.TryGetInteger(5, out count))
            return;
        StreamView view = stream.View;
        context.Reply.WriteMap(isFull ? 9 : 10);
        WriteCounters(ref context, in view);
        if (isFull)
            WriteContent(ref context, in view, count < 0 ? DefaultCount : count);
        else
            WriteEnds(ref context, in view);
    }

    private static void WriteCounters(ref CommandContext context, scoped in StreamView view)
    {
        context.Reply.WriteBulk("length"u8);
        context.Reply.WriteInteger(view.Length);
        context.Reply.WriteBulk("radix-tree-keys"u8);
        context.Reply.WriteInteger(view.Nodes);
        context.Reply.WriteBulk("radix-tree-nodes"u8);
        context.Reply.WriteInteger(view.RadixNodes);
        context.Reply.WriteBulk("last-generated-id"u8);
        StreamIdText.Write(ref context.Reply, view.LastId);
        context.Reply.WriteBulk("max-deleted-entry-id"u8);
        StreamIdText.Write(ref context.Reply, view.MaxDeletedId);
        context.Reply.WriteBulk("entries-added"u8);
        context.Reply.WriteInteger(view.EntriesAdded);
        context.Reply.WriteBulk("recorded-first-entry-id"u8);
        StreamIdText.Write(ref context.Reply, view.FirstId);
    }

    private static void WriteEnds(ref CommandContext context, scoped in StreamView view)
    {
        context.Reply.WriteBulk("groups"u8);
        context.Reply.WriteInteger(view.GroupCount);
        context.Reply.WriteBulk("first-entry"u8);
        WriteEnd(ref context, in view, isLast: false);
        context.Reply.WriteBulk("last-entry"u8);
        WriteEnd(ref context, in view, isLast: true);
    }

    private static void WriteEnd(ref CommandContext context, scoped in StreamView view, bool isLast)
    {
        foreach (StreamEntry entry in view.Range(StreamId.Min, StreamId.Max, isLast))
        {
            EntryReply.Write(ref context.Reply, in entry);
            return;
        }

        context.Reply.WriteNull();
    }

    private static void WriteContent(ref CommandContext context, scoped in StreamView view, long count)
    {
        context.Reply.WriteBulk("entries"u8);
        EntryReply.WriteRange(ref context.Reply, in view, StreamId.Min, StreamId.Max, count);
        context.Reply.WriteBulk("groups"u8);
        context.Reply.WriteArray(view.GroupCount);
        StreamProgress progress = new(in view);
        foreach (StreamGroup group in view.Groups)
        {
            context.Reply.WriteMap(7);
            context.Reply.WriteBulk("name"u8);
            context.Reply.WriteBulk(group.Name);
            GroupInfo.WriteLastId(ref context, in group);
            GroupInfo.WriteProgress(ref context, in group, in progress);
            WriteGroupPending(ref context, in view, group, count);
            context.Reply.WriteBulk("consumers"u8);
            context.Reply.WriteArray(group.Consumers);
            foreach (StreamConsumer consumer in group)
                WriteConsumer(ref context, in view, group, consumer, count);
        }
    }

    private static void WriteGroupPending(ref CommandContext context, scoped in StreamView view, scoped StreamGroup group, long count)
    {
        context.Reply.WriteBulk("pel-count"u8);
        context.Reply.WriteInteger(group.Pending);
        context.Reply.WriteBulk("pending"u8);
        int left = AtMost(group.Pending, count);
        context.Reply.WriteArray(left);
        if (left == 0)
            return;
        foreach (PendingEntry pending in view.Pending(group.Number, StreamId.Min, StreamId.Max))
        {
            context.Reply.WriteArray(4);
            StreamIdText.Write(ref context.Reply, pending.Id);
            context.Reply.WriteBulk(pending.Consumer);
            context.Reply.WriteInteger(pending.DeliveredAtMs);
            context.Reply.WriteInteger(pending.Deliveries);
            if (--left == 0)
                break;
        }
    }

    private static void WriteConsumer(
        ref CommandContext context,
        scoped in StreamView view,
        scoped StreamGroup group,
        scoped StreamConsumer consumer,
        long count
    )
    {
        context.Reply.WriteMap(5);
        context.Reply.WriteBulk("name"u8);
        context.Reply.WriteBulk(consumer.Name);
        context.Reply.WriteBulk("seen-time"u8);
        context.Reply.WriteInteger(consumer.SeenTimeMs);
        context.Reply.WriteBulk("active-time"u8);
        context.Reply.WriteInteger(consumer.ActiveTimeMs);
        context.Reply.WriteBulk("pel-count"u8);
        context.Reply.WriteInteger(consumer.Pending);
        context.Reply.WriteBulk("pending"u8);
        int left = AtMost(consumer.Pending, count);
        context.Reply.WriteArray(left);
        if (left == 0)
            return;
        foreach (PendingEntry pending in view.Pending(group.Number, consumer.Number, StreamId.Min, StreamId.Max))
        {
            context.Reply.WriteArray(3);
            StreamIdText.Write(ref context.Reply, pending.Id);
            context.Reply.WriteInteger(pending.DeliveredAtMs);
            context.Reply.WriteInteger(pending.Deliveries);
            if (--left == 0)
                break;
        }
    }

    private static int AtMost(int pending, long count) => count == 0 ? pending : (int)Math.Min(pending, count);
}
