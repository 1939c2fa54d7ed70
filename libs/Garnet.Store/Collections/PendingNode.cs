// The pending deliveries of one ID, in all groups of a stream: an entry of the second tree. Pure functions of the bytes.
namespace Garnet.Store;

/// <summary>Sixteen bytes of ID, then four integers for each group that has it pending: group, consumer, time of delivery, deliveries.</summary>
internal static class PendingNode
{
    private const int Integers = 4;

    /// <summary>Where a group's delivery starts, -1 when it has none.</summary>
    public static int Find(ReadOnlySpan<byte> node, int group)
    {
        for (int offset = IdOrder.IdBytes; offset < node.Length; offset = PackedEntries.Skip(node, offset, Integers))
        {
            if (PackedEntries.ReadInteger(node, offset) == group)
            {
                return offset;
            }
        }

        return -1;
    }

    public static int Next(ReadOnlySpan<byte> node, int offset) => PackedEntries.Skip(node, offset, Integers);

    public static PendingEntry Read(ReadOnlySpan<byte> node, int offset, StreamGroup group)
    {
        int consumer = PackedEntries.Next(node, offset);
        int time = PackedEntries.Next(node, consumer);
        int deliveries = PackedEntries.Next(node, time);
        return new PendingEntry(
            StreamNode.IdIn(node),
            group,
            (int)PackedEntries.ReadInteger(node, consumer),
            PackedEntries.ReadInteger(node, time),
            PackedEntries.ReadInteger(node, deliveries));
    }

    public static int ConsumerAt(ReadOnlySpan<byte> node, int offset) => (int)PackedEntries.ReadInteger(node, PackedEntries.Next(node, offset));

    /// <summary>A node without the delivery between two offsets, and with another one at its end.</summary>
    public static ReadOnlySpan<byte> With(StreamId id, ReadOnlySpan<byte> node, int offset, int end, int group, int consumer, long timeMs, long deliveries)
    {
        ElementCode groupCode = ElementCode.OfInteger(group);
        ElementCode consumerCode = ElementCode.OfInteger(consumer);
        ElementCode time = ElementCode.OfInteger(timeMs);
        ElementCode count = ElementCode.OfInteger(deliveries);
        int kept = Math.Max(node.Length, IdOrder.IdBytes) - (end - offset);
        Span<byte> made = ElementScratch.Current.TakeEntry(kept + groupCode.Size + consumerCode.Size + time.Size + count.Size);
        StreamFacts.WriteId(made, id);
        if (!node.IsEmpty)
        {
            node[..offset].CopyTo(made);
            node[end..].CopyTo(made[offset..]);
        }

        count.WriteTo(time.WriteTo(consumerCode.WriteTo(groupCode.WriteTo(made[kept..]))));
        return made;
    }

    /// <summary>A node without the delivery between two offsets.</summary>
    public static ReadOnlySpan<byte> Without(ReadOnlySpan<byte> node, int offset, int end)
    {
        Span<byte> made = ElementScratch.Current.TakeEntry(node.Length - (end - offset));
        node[..offset].CopyTo(made);
        node[end..].CopyTo(made[offset..]);
        return made;
    }
}
