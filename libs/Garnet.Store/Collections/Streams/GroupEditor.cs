// Changes of the groups beside a stream. Under the latch of the key; every change has been announced by the caller, but that of RemovePending, which may find nothing.
using System.Buffers;

namespace Garnet.Store;

/// <summary>The steps that a stream's changes of groups, consumers and what is pending are made of; <see cref="GroupEntry"/> says what the entries are.</summary>
internal static unsafe class GroupEditor
{
    /// <summary>Gives a name to a new group (of 0) or consumer (of its group), with room for facts, which the caller writes. Returns its number.</summary>
    public static long Add(scoped ref ValueRoom room, long owner, ReadOnlySpan<byte> name, int factBytes)
    {
        TreeHeader* tree = TreeOf(ref room);
        Span<byte> counters = StreamEditor.CopyFacts(ref room);
        long number = StreamFacts.TakeNumber(counters);
        StreamFacts.AddGroups(counters, owner == 0 ? 1 : 0);
        StreamEditor.StoreFacts(ref room, counters);
        ulong names = GroupEntry.NamesOf(owner);
        Insert(room, tree, GroupOrder.KeyOf(names, name), GroupEntry.OfName(names, number, name));
        Insert(room, tree, GroupOrder.KeyOf(GroupEntry.FactsOf(number)), GroupEntry.OfFacts(number, factBytes, name));
        return number;
    }

    /// <summary>Removes a group with its consumers and all that is pending.</summary>
    public static void RemoveGroup(scoped ref ValueRoom room, ReadOnlySpan<byte> name, scoped in StreamGroup group)
    {
        long number = group.Number;
        long[] consumers = ArrayPool<long>.Shared.Rent(group.Consumers);
        int count = 0;
        foreach (StreamConsumer consumer in group)
        {
            consumers[count++] = consumer.Number;
        }

        foreach (long consumer in consumers.AsSpan(0, count))
        {
            RemoveNumber(room, consumer);
        }

        ArrayPool<long>.Shared.Return(consumers);
        RemoveNumber(room, number);
        Remove(room, GroupOrder.KeyOf(GroupEntry.NamesOf(0), name));
        Span<byte> counters = StreamEditor.CopyFacts(ref room);
        StreamFacts.AddGroups(counters, -1);
        StreamEditor.StoreFacts(ref room, counters);
    }

    /// <summary>Removes a consumer with what is pending for it.</summary>
    public static void RemoveConsumer(scoped ref ValueRoom room, long group, ReadOnlySpan<byte> name, long consumer, long pending)
    {
        var cursor = default(TreeCursor);
        for (long i = 0; i < pending; i++)
        {
            Reader(room).Seek(GroupOrder.KeyOf(GroupEntry.PendingOf(consumer)), ref cursor);
            StreamId id = GroupEntry.IdIn(TreeEntry.At(ref cursor));
            room.Forest.Groups.Remove(room.SecondTree, ref cursor);
            Remove(room, GroupOrder.KeyOf(GroupEntry.PendingOf(group), id));
        }

        RemoveNumber(room, consumer);
        Remove(room, GroupOrder.KeyOf(GroupEntry.NamesOf(group), name));
        Span<byte> facts = EditFacts(room, group);
        StreamFacts.Add(facts[GroupEntry.PendingAt..], -pending);
        StreamFacts.Add(facts[GroupEntry.ConsumersAt..], -1);
    }

    /// <summary>The facts of a group or consumer, for changing in place.</summary>
    public static Span<byte> EditFacts(scoped in ValueRoom room, long number)
    {
        CountedTree<GroupOrder> groups = room.Forest.Groups;
        TreeHeader* tree = room.SecondTree;
        var cursor = default(TreeCursor);
        groups.Find(new TreeView(tree), GroupOrder.KeyOf(GroupEntry.FactsOf(number)), ref cursor);
        ReadOnlySpan<byte> old = TreeEntry.At(ref cursor);
        int length = old.Length;
        int start = PackedEntries.Next(old, 0);
        if (!groups.TryExtend(tree, ref cursor, length, out Span<byte> entry))
        {
            // It lies outside of its leaf, where a picture may need it as it is; a copy belongs to this tree alone.
            Span<byte> copy = ElementScratch.Current.TakeEntry(length);
            old.CopyTo(copy);
            groups.Replace(tree, ref cursor, copy);
            groups.Find(new TreeView(tree), GroupOrder.KeyOf(GroupEntry.FactsOf(number)), ref cursor);
            groups.TryExtend(tree, ref cursor, length, out entry);
        }

        return entry[start..];
    }

    /// <summary>Makes an ID pending with a consumer, in place of the one that has it; 0 for a consumer that is not known yet.</summary>
    public static void SetPending(scoped ref ValueRoom room, long group, long consumer, StreamId id, long deliveredAtMs, long deliveries)
    {
        CountedTree<GroupOrder> groups = room.Forest.Groups;
        TreeHeader* tree = room.SecondTree;
        Span<byte> made = stackalloc byte[GroupEntry.MostPendingBytes];
        var cursor = default(TreeCursor);
        ReadOnlySpan<byte> entry = GroupEntry.WritePending(made, group, id, consumer, deliveredAtMs, deliveries);
        if (!groups.Find(new TreeView(tree), GroupOrder.KeyOf(GroupEntry.PendingOf(group), id), ref cursor))
        {
            groups.Insert(tree, ref cursor, entry);
            StreamFacts.Add(EditFacts(room, group)[GroupEntry.PendingAt..], 1);
            Give(room, consumer, id);
            return;
        }

        long before = GroupEntry.PendingIn(TreeEntry.At(ref cursor), Reader(room)).ConsumerNumber;
        groups.Replace(tree, ref cursor, entry);
        if (before != consumer)
        {
            Take(room, before, id);
            Give(room, consumer, id);
        }
    }

    /// <summary>Removes a delivery from a group; false when there is none.</summary>
    public static bool RemovePending(scoped ref ValueRoom room, long group, StreamId id)
    {
        var cursor = default(TreeCursor);
        if (room.SecondTree == null || !room.Forest.Groups.Find(new TreeView(room.SecondTree), GroupOrder.KeyOf(GroupEntry.PendingOf(group), id), ref cursor))
        {
            return false;
        }

        long consumer = GroupEntry.PendingIn(TreeEntry.At(ref cursor), Reader(room)).ConsumerNumber;
        room.BeforeSideChange();
        room.Forest.Groups.Remove(room.SecondTree, ref cursor);
        StreamFacts.Add(EditFacts(room, group)[GroupEntry.PendingAt..], -1);
        Take(room, consumer, id);
        return true;
    }

    // Makes an ID that is pending in its group one of a consumer's.
    private static void Give(scoped in ValueRoom room, long consumer, StreamId id)
    {
        if (consumer == 0)
        {
            return;
        }

        Span<byte> made = stackalloc byte[GroupEntry.MostPendingBytes];
        Insert(room, room.SecondTree, GroupOrder.KeyOf(GroupEntry.PendingOf(consumer), id), GroupEntry.WritePending(made, consumer, id));
        StreamFacts.Add(EditFacts(room, consumer)[GroupEntry.PendingAt..], 1);
    }

    private static void Take(scoped in ValueRoom room, long consumer, StreamId id)
    {
        if (consumer != 0)
        {
            Remove(room, GroupOrder.KeyOf(GroupEntry.PendingOf(consumer), id));
            StreamFacts.Add(EditFacts(room, consumer)[GroupEntry.PendingAt..], -1);
        }
    }

    // The tree, which a stream gets with its first group.
    private static TreeHeader* TreeOf(scoped ref ValueRoom room)
    {
        if (room.SecondTree == null)
        {
            TreeHeader* groups = room.Forest.Create();
            PackedForm.WriteTrees(room.MutateAside(), PackedForm.FormOf(room.Bytes), room.Tree, groups);
        }

        return room.SecondTree;
    }

    private static GroupReader Reader(scoped in ValueRoom room) => new(room.Forest, new TreeView(room.SecondTree));

    private static void Insert(scoped in ValueRoom room, TreeHeader* tree, scoped in TreeKey key, scoped ReadOnlySpan<byte> entry)
    {
        var cursor = default(TreeCursor);
        room.Forest.Groups.Find(new TreeView(tree), key, ref cursor);
        room.Forest.Groups.Insert(tree, ref cursor, entry);
    }

    private static void Remove(scoped in ValueRoom room, scoped in TreeKey key)
    {
        var cursor = default(TreeCursor);
        room.Forest.Groups.Find(new TreeView(room.SecondTree), key, ref cursor);
        room.Forest.Groups.Remove(room.SecondTree, ref cursor);
    }

    // All sections of a number, which stand one behind the other.
    private static void RemoveNumber(scoped in ValueRoom room, long number)
    {
        GroupReader groups = Reader(room);
        var cursor = default(TreeCursor);
        groups.Seek(GroupOrder.KeyOf(GroupEntry.FactsOf(number)), ref cursor);
        long first = cursor.Rank;
        groups.Seek(GroupOrder.KeyOf(GroupEntry.FactsOf(number + 1)), ref cursor);
        room.Forest.Groups.RemoveRange(room.SecondTree, first, cursor.Rank - first);
    }
}
