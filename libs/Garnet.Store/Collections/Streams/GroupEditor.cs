// Changes to the groups tree of a stream. Used under the latch of the key. The caller has announced every change, except for RemovePending,
// which may find nothing to remove.
using System.Buffers;
using Garnet.Store.Changes;
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Streams;

/// <summary>
/// The steps that make up a stream's changes to groups, consumers and pending entries; <see cref="GroupEntry"/> describes the tree's
/// entries.
/// </summary>
internal static unsafe class GroupEditor
{
    /// <summary>
    /// Registers the name of a new group (owner 0) or consumer (owner: its group), with space for metadata that the caller writes. Returns
    /// its number.
    /// </summary>
    public static long Add(scoped ref ValueStorage storage, long owner, ReadOnlySpan<byte> name, int factBytes)
    {
        TreeHeader* tree = TreeOf(ref storage);
        Span<byte> counters = StreamEditor.CopyFacts(ref storage);
        long number = StreamMetadata.TakeNumber(counters);
        StreamMetadata.AddGroups(counters, owner == 0 ? 1 : 0);
        StreamEditor.StoreFacts(ref storage, counters);
        ulong names = GroupEntry.NamesOf(owner);
        Insert(storage, tree, GroupOrder.KeyOf(names, name), GroupEntry.OfName(names, number, name));
        Insert(storage, tree, GroupOrder.KeyOf(GroupEntry.FactsOf(number)), GroupEntry.OfFacts(number, factBytes, name));
        return number;
    }

    /// <summary>Removes a group with its consumers and all its pending entries.</summary>
    public static void RemoveGroup(scoped ref ValueStorage storage, ReadOnlySpan<byte> name, scoped in StreamGroup group)
    {
        long number = group.Number;
        long[] consumers = ArrayPool<long>.Shared.Rent(group.Consumers);
        int count = 0;
        foreach (StreamConsumer consumer in group)
            consumers[count++] = consumer.Number;

        foreach (long consumer in consumers.AsSpan(0, count))
            RemoveNumber(storage, consumer);

        ArrayPool<long>.Shared.Return(consumers);
        RemoveNumber(storage, number);
        Remove(storage, GroupOrder.KeyOf(GroupEntry.NamesOf(0), name));
        Span<byte> counters = StreamEditor.CopyFacts(ref storage);
        StreamMetadata.AddGroups(counters, -1);
        StreamEditor.StoreFacts(ref storage, counters);
    }

    /// <summary>Removes a consumer with its pending entries.</summary>
    public static void RemoveConsumer(scoped ref ValueStorage storage, long group, ReadOnlySpan<byte> name, long consumer, long pending)
    {
        var cursor = default(TreeCursor);
        for (long i = 0; i < pending; i++)
        {
            Reader(storage).Seek(GroupOrder.KeyOf(GroupEntry.PendingOf(consumer)), ref cursor);
            StreamId id = GroupEntry.IdIn(TreeEntry.At(ref cursor));
            storage.Trees.Groups.Remove(storage.SecondTree, ref cursor);
            Remove(storage, GroupOrder.KeyOf(GroupEntry.PendingOf(group), id));
        }

        RemoveNumber(storage, consumer);
        Remove(storage, GroupOrder.KeyOf(GroupEntry.NamesOf(group), name));
        Span<byte> facts = EditFacts(storage, group);
        StreamMetadata.Add(facts[GroupEntry.PendingAt..], -pending);
        StreamMetadata.Add(facts[GroupEntry.ConsumersAt..], -1);
    }

    /// <summary>The metadata of a group or consumer, for changing in place.</summary>
    public static Span<byte> EditFacts(scoped in ValueStorage storage, long number)
    {
        CountedTree<GroupOrder> groups = storage.Trees.Groups;
        TreeHeader* tree = storage.SecondTree;
        var cursor = default(TreeCursor);
        groups.Find(new TreeView(tree), GroupOrder.KeyOf(GroupEntry.FactsOf(number)), ref cursor);
        ReadOnlySpan<byte> old = TreeEntry.At(ref cursor);
        int length = old.Length;
        int start = PackedEntries.Next(old, 0);
        if (!groups.TryExtend(tree, ref cursor, length, out Span<byte> entry))
        {
            // The entry is stored outside of its leaf, where a snapshot may still read it; the copy is owned by this tree only.
            Span<byte> copy = ElementScratch.Current.TakeEntry(length);
            old.CopyTo(copy);
            groups.Replace(tree, ref cursor, copy);
            groups.Find(new TreeView(tree), GroupOrder.KeyOf(GroupEntry.FactsOf(number)), ref cursor);
            groups.TryExtend(tree, ref cursor, length, out entry);
        }

        return entry[start..];
    }

    /// <summary>Assigns a pending ID to a consumer instead of the current one; 0 for a consumer that is not known yet.</summary>
    public static void SetPending(
        scoped ref ValueStorage storage,
        long group,
        long consumer,
        StreamId id,
        long deliveredAtMs,
        long deliveries
    )
    {
        CountedTree<GroupOrder> groups = storage.Trees.Groups;
        TreeHeader* tree = storage.SecondTree;
        Span<byte> made = stackalloc byte[GroupEntry.MaxPendingBytes];
        var cursor = default(TreeCursor);
        ReadOnlySpan<byte> entry = GroupEntry.WritePending(made, group, id, consumer, deliveredAtMs, deliveries);
        if (!groups.Find(new TreeView(tree), GroupOrder.KeyOf(GroupEntry.PendingOf(group), id), ref cursor))
        {
            groups.Insert(tree, ref cursor, entry);
            StreamMetadata.Add(EditFacts(storage, group)[GroupEntry.PendingAt..], 1);
            Give(storage, consumer, id);
            return;
        }

        long before = GroupEntry.PendingIn(TreeEntry.At(ref cursor), Reader(storage)).ConsumerNumber;
        groups.Replace(tree, ref cursor, entry);
        if (before != consumer)
        {
            Take(storage, before, id);
            Give(storage, consumer, id);
        }
    }

    /// <summary>Removes a pending entry from a group; false when there is none.</summary>
    public static bool RemovePending(scoped ref ValueStorage storage, long group, StreamId id)
    {
        var cursor = default(TreeCursor);
        if (
            storage.SecondTree == null
            || !storage.Trees.Groups.Find(new TreeView(storage.SecondTree), GroupOrder.KeyOf(GroupEntry.PendingOf(group), id), ref cursor)
        )
        {
            return false;
        }

        long consumer = GroupEntry.PendingIn(TreeEntry.At(ref cursor), Reader(storage)).ConsumerNumber;
        storage.BeforeTreeChange(KeyChangeKind.Metadata);
        storage.Trees.Groups.Remove(storage.SecondTree, ref cursor);
        StreamMetadata.Add(EditFacts(storage, group)[GroupEntry.PendingAt..], -1);
        Take(storage, consumer, id);
        return true;
    }

    // Adds an ID that is pending in its group to a consumer.
    private static void Give(scoped in ValueStorage storage, long consumer, StreamId id)
    {
        if (consumer == 0)
            return;

        Span<byte> made = stackalloc byte[GroupEntry.MaxPendingBytes];
        Insert(
            storage,
            storage.SecondTree,
            GroupOrder.KeyOf(GroupEntry.PendingOf(consumer), id),
            GroupEntry.WritePending(made, consumer, id)
        );
        StreamMetadata.Add(EditFacts(storage, consumer)[GroupEntry.PendingAt..], 1);
    }

    private static void Take(scoped in ValueStorage storage, long consumer, StreamId id)
    {
        if (consumer != 0)
        {
            Remove(storage, GroupOrder.KeyOf(GroupEntry.PendingOf(consumer), id));
            StreamMetadata.Add(EditFacts(storage, consumer)[GroupEntry.PendingAt..], -1);
        }
    }

    // The tree, created with the stream's first group.
    private static TreeHeader* TreeOf(scoped ref ValueStorage storage)
    {
        if (storage.SecondTree == null)
        {
            TreeHeader* groups = storage.Trees.Create();
            PackedForm.WriteTrees(storage.Mutate(KeyChangeKind.Metadata), PackedForm.FormOf(storage.Bytes), storage.Tree, groups);
        }

        return storage.SecondTree;
    }

    private static GroupReader Reader(scoped in ValueStorage storage) => new(storage.Trees, new TreeView(storage.SecondTree));

    private static void Insert(scoped in ValueStorage storage, TreeHeader* tree, scoped in TreeKey key, scoped ReadOnlySpan<byte> entry)
    {
        var cursor = default(TreeCursor);
        storage.Trees.Groups.Find(new TreeView(tree), key, ref cursor);
        storage.Trees.Groups.Insert(tree, ref cursor, entry);
    }

    private static void Remove(scoped in ValueStorage storage, scoped in TreeKey key)
    {
        var cursor = default(TreeCursor);
        storage.Trees.Groups.Find(new TreeView(storage.SecondTree), key, ref cursor);
        storage.Trees.Groups.Remove(storage.SecondTree, ref cursor);
    }

    // All sections of a number, which are adjacent.
    private static void RemoveNumber(scoped in ValueStorage storage, long number)
    {
        GroupReader groups = Reader(storage);
        var cursor = default(TreeCursor);
        groups.Seek(GroupOrder.KeyOf(GroupEntry.FactsOf(number)), ref cursor);
        long first = cursor.Rank;
        groups.Seek(GroupOrder.KeyOf(GroupEntry.FactsOf(number + 1)), ref cursor);
        storage.Trees.Groups.RemoveRange(storage.SecondTree, first, cursor.Rank - first);
    }
}
