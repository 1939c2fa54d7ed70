// Changes of what is pending in a stream's groups. Under the latch of the key; every change has been announced by the caller.
namespace Garnet.Store;

/// <summary>Keeps the tree of pending deliveries and the counts of groups and consumers.</summary>
internal static unsafe class StreamPending
{
    public static void Set(scoped ref ValueRoom room, int group, int consumer, StreamId id, long deliveredAtMs, long deliveries)
    {
        TreeHeader* tree = StreamEditor.PendingTree(ref room);
        Span<byte> facts = StreamEditor.CopyFacts(ref room, 0, 0, 0);
        int groupNumber = StreamFacts.Number(facts, group);
        int consumerNumber = StreamFacts.Number(facts, consumer);
        var cursor = default(TreeCursor);
        CountedTree<IdOrder> ids = room.Forest.Ids;
        bool isFound = ids.Find(new TreeView(tree), IdOrder.KeyOf(id.Milliseconds, id.Sequence), ref cursor);
        ReadOnlySpan<byte> node = isFound ? TreeEntry.At(ref cursor) : default;
        int offset = isFound ? PendingNode.Find(node, groupNumber) : -1;
        if (offset >= 0)
        {
            // It had one already: that consumer loses it.
            StreamFacts.Add(facts, StreamFacts.FindConsumer(facts, group, PendingNode.ConsumerAt(node, offset)) + 24, -1);
        }
        else
        {
            StreamFacts.Add(facts, group + 32, 1);
        }

        StreamFacts.Add(facts, consumer + 24, 1);
        int end = offset >= 0 ? PendingNode.Next(node, offset) : node.Length;
        ReadOnlySpan<byte> made = PendingNode.With(id, node, offset >= 0 ? offset : end, end, groupNumber, consumerNumber, deliveredAtMs, deliveries);
        if (isFound)
        {
            ids.Replace(tree, ref cursor, made);
        }
        else
        {
            ids.Insert(tree, ref cursor, made);
        }

        StreamEditor.StoreFacts(ref room, facts);
    }

    /// <summary>Removes a delivery that is there.</summary>
    public static void Remove(scoped ref ValueRoom room, int group, StreamId id)
    {
        TreeHeader* tree = room.SecondTree;
        var cursor = default(TreeCursor);
        room.Forest.Ids.Find(new TreeView(tree), IdOrder.KeyOf(id.Milliseconds, id.Sequence), ref cursor);
        Span<byte> facts = StreamEditor.CopyFacts(ref room, 0, 0, 0);
        ReadOnlySpan<byte> node = TreeEntry.At(ref cursor);
        int offset = PendingNode.Find(node, StreamFacts.Number(facts, group));
        StreamFacts.Add(facts, StreamFacts.FindConsumer(facts, group, PendingNode.ConsumerAt(node, offset)) + 24, -1);
        StreamFacts.Add(facts, group + 32, -1);
        RemoveAt(ref room, ref cursor, node, offset);
        StreamEditor.StoreFacts(ref room, facts);
    }

    /// <summary>Removes all deliveries of a group, or of one of its consumers; the counts are the caller's.</summary>
    public static void RemoveAll(scoped ref ValueRoom room, int group, int consumer)
    {
        TreeHeader* tree = room.SecondTree;
        var cursor = default(TreeCursor);
        cursor.Seek(new TreeView(tree), 0);
        while (!cursor.IsEnd)
        {
            ReadOnlySpan<byte> node = TreeEntry.At(ref cursor);
            int offset = PendingNode.Find(node, group);
            bool isMatch = offset >= 0 && (consumer < 0 || PendingNode.ConsumerAt(node, offset) == consumer);
            if (!isMatch || !RemoveAt(ref room, ref cursor, node, offset))
            {
                cursor.MoveNext();
            }
        }
    }

    // True when the cursor is on the next entry, as nothing else was pending with this one's ID.
    private static bool RemoveAt(scoped ref ValueRoom room, ref TreeCursor cursor, ReadOnlySpan<byte> node, int offset)
    {
        int end = PendingNode.Next(node, offset);
        if (node.Length - (end - offset) == IdOrder.IdBytes)
        {
            room.Forest.Ids.Remove(room.SecondTree, ref cursor);
            return true;
        }

        room.Forest.Ids.Replace(room.SecondTree, ref cursor, PendingNode.Without(node, offset, end));
        return false;
    }
}
