// Delivers entries of a stream to a consumer. Stateless.
using System.Buffers;
using Garnet.Engine.Execution;
using Garnet.Protocol;
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>Writes the entries before it changes the group, because a change invalidates what was read.</summary>
internal static class GroupDelivery
{
    /// <summary>Delivers entries that have not been delivered to the group yet; there must be at least one.</summary>
    /// <param name="context">The command's context.</param>
    /// <param name="writer">Receives the array of entries.</param>
    /// <param name="stream">The stream.</param>
    /// <param name="arguments">What to read.</param>
    /// <param name="key">Index of the key.</param>
    /// <param name="member">The consumer.</param>
    public static void Deliver(
        ref CommandContext context,
        ref RespWriter writer,
        ref StreamValue stream,
        in StreamReadArguments arguments,
        int key,
        GroupMember member
    )
    {
        StreamView view = stream.View;
        StreamGroup group = view.GroupOf(member.Group);
        (StreamId last, long entriesRead) = (group.LastId, group.EntriesRead);
        int count = arguments.Count == 1 ? 1 : EntryReply.Count(in view, StreamIdText.Next(last), StreamId.Max, arguments.Count);
        StreamId[] ids = ArrayPool<StreamId>.Shared.Rent(count);
        writer.WriteArray(count);
        int taken = 0;
        foreach (StreamEntry entry in view.Range(StreamIdText.Next(last), StreamId.Max))
        {
            EntryReply.Write(ref writer, in entry);
            ids[taken++] = entry.Id;
            if (taken == count)
                break;
        }

        StreamProgress progress = new(in view);
        ReadOnlySpan<byte> groupName = context[arguments.Group];
        ReadOnlySpan<byte> consumerName = context[arguments.Group + 1];
        foreach (StreamId id in ids.AsSpan(0, count))
        {
            entriesRead = progress.After(last, entriesRead, id);
            last = id;
            if (arguments.IsAcknowledged)
                continue;
            stream.SetPending(member.Group, member.Consumer, id, context.RunningNowMs, 1);
            GroupEffect.Claim(ref context, key, groupName, consumerName, id, context.RunningNowMs, 1, last);
        }

        ArrayPool<StreamId>.Shared.Return(ids);
        stream.SetGroup(member.Group, last, entriesRead);
        GroupEffect.Progress(ref context, key, groupName, last, entriesRead);
    }

    /// <summary>Delivers entries pending for the consumer again, from an ID on; deleted entries are shown without fields.</summary>
    public static void Repeat(
        ref CommandContext context,
        ref RespWriter writer,
        ref StreamValue stream,
        in StreamReadArguments arguments,
        GroupMember member,
        StreamId start
    )
    {
        StreamView view = stream.View;
        PendingDelivery[] deliveries = ArrayPool<PendingDelivery>.Shared.Rent(view.ConsumerOf(member.Consumer).Pending);
        int count = 0;
        foreach (PendingEntry pending in view.Pending(member.Group, member.Consumer, start, StreamId.Max))
        {
            if (arguments.Count > 0 && count == arguments.Count)
                break;
            deliveries[count++] = new PendingDelivery(pending.Id, pending.Deliveries + 1);
        }

        writer.WriteArray(count);
        foreach (ref PendingDelivery delivery in deliveries.AsSpan(0, count))
        {
            if (EntryReply.TryWrite(ref writer, in view, delivery.Id))
                continue;
            writer.WriteArray(2);
            StreamIdText.Write(ref writer, delivery.Id);
            writer.WriteNullArray();
            delivery = default;
        }

        foreach (PendingDelivery delivery in deliveries.AsSpan(0, count))
        {
            if (delivery.Deliveries > 0)
                stream.SetPending(member.Group, member.Consumer, delivery.Id, context.RunningNowMs, delivery.Deliveries);
        }

        ArrayPool<PendingDelivery>.Shared.Return(deliveries);
    }
}
