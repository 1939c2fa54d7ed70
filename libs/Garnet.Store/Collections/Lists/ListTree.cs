// Changes to large lists: a tree of elements by position. Used under the latch of the key.
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Lists;

/// <summary>
/// The tree's first user field is the size that Valkey's listpack would have. A list that reports quicklist has a ring of Valkey's nodes
/// instead (<see cref="ListNodes"/>), which carry their sizes.
/// </summary>
internal static unsafe class ListTree
{
    private const long MaxPacked = 32;
    private const long MaxPackedBytes = 512;

    /// <summary>Converts a packed list into a large one.</summary>
    public static void Convert(ref ValueStorage storage)
    {
        TreeStore trees = storage.Trees;
        TreeHeader* tree = trees.Create();
        ReadOnlySpan<byte> packed = storage.Bytes;
        int form = packed[0];
        tree->User0 = PackedForm.ListBytes(packed);
        var cursor = default(TreeCursor);
        cursor.Seek(new TreeView(tree), 0);
        for (int offset = PackedForm.ListHeaderBytes; offset < packed.Length; )
        {
            int next = PackedEntries.Next(packed, offset);
            trees.Positions.Insert(tree, ref cursor, packed[offset..next]);
            cursor.MoveNext();
            offset = next;
        }

        storage.BecomeTree(form, tree, null);
    }

    /// <summary>Turns an absent list into one with a ring of nodes, initially empty.</summary>
    public static void CreateNodes(ref ValueStorage storage)
    {
        storage.BecomeTree(PackedForm.IsLarge, storage.Trees.Create(), null);
        storage.Trees.ListNodes.Create(storage.Tree, storage.Limits.ListSetting, storage.Limits.IsListCompressed);
    }

    /// <summary>Gives a list in a tree a ring with one node that holds all elements.</summary>
    public static void BecomeNodes(ref ValueStorage storage, short setting, bool isCompressed)
    {
        TreeHeader* tree = storage.Tree;
        storage.Trees.ListNodes.Create(tree, setting, isCompressed);
        storage.Trees.ListNodes.Insert(tree, 0, ListNode.Packed(tree->Count, tree->User0));
        tree->User0 = 0;
    }

    /// <summary>Resets the nodes of a one-element list to their state after a fresh push.</summary>
    public static void RenewNodes(ref ValueStorage storage, ReadOnlySpan<byte> element)
    {
        ListNodeRing.Remove(ListNodeHeap.RingOf(storage.Tree), 0, 1);
        new ListNodes(storage.Trees, storage.Tree).PushLast(element.Length, ListPackSize.Of(element));
    }

    /// <summary>Turns a list with one node into a single listpack.</summary>
    public static void LeaveNodes(ref ValueStorage storage)
    {
        TreeHeader* tree = storage.Tree;
        tree->User0 = ListNodeRing.At(ListNodeHeap.RingOf(tree), 0).Bytes;
        storage.Trees.ListNodes.Drop(tree);
    }

    /// <summary>Packs a list that has become small and is a listpack.</summary>
    public static void Pack(ref ValueStorage storage)
    {
        TreeHeader* tree = storage.Tree;
        if (tree->Count > MaxPacked || tree->User0 > MaxPackedBytes)
            return;

        int bytes = PackedForm.ListHeaderBytes;
        var cursor = default(TreeCursor);
        bool isBegun = false;
        while (TreeEntry.MoveNext(new TreeView(tree), ref cursor, ref isBegun))
            bytes += TreeEntry.At(ref cursor).Length;

        Span<byte> value = ElementScratch.Current.TakeValue(bytes);
        PackedForm.Write(value, storage.Bytes[0] & ~PackedForm.KindMask | PackedForm.Entries, (int)tree->Count);
        PackedForm.SetListBytes(value, tree->User0);
        Span<byte> rest = value[PackedForm.ListHeaderBytes..];
        isBegun = false;
        while (TreeEntry.MoveNext(new TreeView(tree), ref cursor, ref isBegun))
        {
            ReadOnlySpan<byte> entry = TreeEntry.At(ref cursor);
            entry.CopyTo(rest);
            rest = rest[entry.Length..];
        }

        storage.BecomePacked(value);
    }

    /// <summary>Inserts an element at an end, or beside the one at an index.</summary>
    public static void Insert(ref ValueStorage storage, long index, scoped in ElementCode element, int length, ListPlacement placement)
    {
        TreeHeader* tree = storage.Tree;
        var cursor = default(TreeCursor);
        ReadOnlySpan<byte> entry = ElementScratch.Current.Encode(element);
        storage.BeforeTreeChange();
        Count(ref storage, index, length, ListPackSize.Of(PackedEntries.Read(entry, 0)), placement);
        cursor.Seek(new TreeView(tree), placement == ListPlacement.Behind ? index + 1 : index);
        storage.Trees.Positions.Insert(tree, ref cursor, entry);
    }

    public static void SetAt(ref ValueStorage storage, long index, scoped in ElementCode element, int length)
    {
        TreeHeader* tree = storage.Tree;
        var cursor = default(TreeCursor);
        ReadOnlySpan<byte> entry = ElementScratch.Current.Encode(element);
        storage.BeforeTreeChange();
        cursor.Seek(new TreeView(tree), index);
        long oldSize = ListPackSize.Of(PackedEntries.Read(TreeEntry.At(ref cursor), 0));
        long size = ListPackSize.Of(PackedEntries.Read(entry, 0));
        if (tree->HasListNodes)
            new ListNodes(storage.Trees, tree).Replace(index, oldSize, length, size);
        else
            tree->User0 += size - oldSize;

        storage.Trees.Positions.Replace(tree, ref cursor, entry);
    }

    /// <summary>Removes some, but not all, elements.</summary>
    public static void RemoveRange(ref ValueStorage storage, long index, long count)
    {
        TreeHeader* tree = storage.Tree;
        storage.BeforeTreeChange();
        if (count > 1 && tree->HasListNodes)
        {
            new ListNodes(storage.Trees, tree).RemoveRange(index, count);
            storage.Trees.Positions.RemoveRange(tree, index, count);
            return;
        }

        var cursor = default(TreeCursor);
        cursor.Seek(new TreeView(tree), index);
        if (count == 1)
        {
            CountRemoved(ref storage, index, ListPackSize.Of(PackedEntries.Read(TreeEntry.At(ref cursor), 0)));
            storage.Trees.Positions.Remove(tree, ref cursor);
            return;
        }

        for (long i = 0; i < count; i++)
        {
            tree->User0 -= ListPackSize.Of(PackedEntries.Read(TreeEntry.At(ref cursor), 0));
            cursor.MoveNext();
        }

        storage.Trees.Positions.RemoveRange(tree, index, count);
    }

    /// <summary>See <see cref="ListValue.Remove"/>; the value is removed when all elements matched.</summary>
    public static long Remove(ref ValueStorage storage, scoped in ElementCode element, long most, bool fromEnd)
    {
        TreeHeader* tree = storage.Tree;
        ReadOnlySpan<byte> code = ElementScratch.Current.Encode(element);
        long size = ListPackSize.Of(PackedEntries.Read(code, 0));
        long removed = 0;
        long count = tree->Count;
        long left = count;
        var cursor = default(TreeCursor);
        var walk = new ListNodeWalk(tree, fromEnd);
        cursor.Seek(new TreeView(tree), fromEnd ? left - 1 : 0);
        while (
            (most == 0 || removed < most)
            && (fromEnd ? MoveBackToMatch(ref cursor, code, ref left) : MoveToMatch(ref cursor, code, ref left))
        )
        {
            if (tree->Count == 1)
            {
                storage.Remove();
                return removed + 1;
            }

            if (removed++ == 0)
                storage.BeforeTreeChange();

            if (tree->HasListNodes)
                new ListNodes(storage.Trees, tree).Take(walk.NodeOf(count - left - 1), size);
            else
                tree->User0 -= size;

            storage.Trees.Positions.Remove(tree, ref cursor);
            if (fromEnd)
                cursor.MovePrevious();
        }

        if (removed > 0 && tree->HasListNodes)
            new ListNodes(storage.Trees, tree).RemoveEmpty();

        return removed;
    }

    /// <summary>
    /// Moves to the next element with the given code, at the cursor or after it; false when it is not among the <paramref name="left"/>
    /// remaining elements, which are decremented for each element examined.
    /// </summary>
    public static bool MoveToMatch(ref TreeCursor cursor, scoped ReadOnlySpan<byte> code, ref long left)
    {
        while (left > 0)
        {
            cursor.Settle();
            int slot = cursor.Slot;
            int most = (int)Math.Min(cursor.Leaf->Count - slot, left);
            int passed = CodedLeaf.CountUntil(cursor.Leaf, slot, most, code);
            cursor.Slot = slot + passed;
            left -= passed;
            if (passed < most)
            {
                left--;
                return true;
            }
        }

        return false;
    }

    /// <summary>Like <see cref="MoveToMatch"/>, towards the head.</summary>
    public static bool MoveBackToMatch(ref TreeCursor cursor, scoped ReadOnlySpan<byte> code, ref long left)
    {
        while (left > 0)
        {
            left--;
            if (TreeEntry.At(ref cursor).SequenceEqual(code))
                return true;

            cursor.MovePrevious();
        }

        return false;
    }

    private static void Count(ref ValueStorage storage, long index, int length, long size, ListPlacement placement)
    {
        TreeHeader* tree = storage.Tree;
        if (!tree->HasListNodes)
        {
            tree->User0 += size;
            return;
        }

        var nodes = new ListNodes(storage.Trees, tree);
        switch (placement)
        {
            case ListPlacement.First:
                nodes.PushFirst(length, size);
                break;
            case ListPlacement.Last:
                nodes.PushLast(length, size);
                break;
            case ListPlacement.LastInNode:
                nodes.PushInNode(size);
                break;
            case ListPlacement.LastAsNode or ListPlacement.LastAsPlain:
                nodes.PushNode(length, size, isPlain: placement == ListPlacement.LastAsPlain);
                break;
            default:
                nodes.Insert(index, length, size, isBehind: placement == ListPlacement.Behind);
                break;
        }
    }

    private static void CountRemoved(ref ValueStorage storage, long index, long size)
    {
        TreeHeader* tree = storage.Tree;
        if (tree->HasListNodes)
            new ListNodes(storage.Trees, tree).RemoveOne(index, size);
        else
            tree->User0 -= size;
    }
}
