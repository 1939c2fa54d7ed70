// Changes of large lists: a tree of elements by position. Under the latch of the key.
namespace Garnet.Store;

/// <summary>
/// The tree's first fact is the size that Valkey's listpack would have; of a list that reports quicklist it has a ring of Valkey's nodes instead (<see cref="ListNodes"/>), which know their sizes.
/// </summary>
internal static unsafe class ListTree
{
    private const long MostPacked = 32;
    private const long MostPackedBytes = 512;

    /// <summary>Makes a large list of a packed one.</summary>
    public static void Convert(ref ValueRoom room)
    {
        TreeForest forest = room.Forest;
        TreeHeader* tree = forest.Create();
        ReadOnlySpan<byte> packed = room.Bytes;
        int form = packed[0];
        tree->User0 = PackedForm.ListBytes(packed);
        var cursor = default(TreeCursor);
        cursor.Seek(new TreeView(tree), 0);
        for (int offset = PackedForm.ListHeaderBytes; offset < packed.Length;)
        {
            int next = PackedEntries.Next(packed, offset);
            forest.Places.Insert(tree, ref cursor, packed[offset..next]);
            cursor.MoveNext();
            offset = next;
        }

        room.BecomeTree(form, tree, null);
    }

    /// <summary>Makes an absent list one of nodes, none at first.</summary>
    public static void CreateNodes(ref ValueRoom room)
    {
        room.BecomeTree(PackedForm.IsLarge, room.Forest.Create(), null);
        room.Forest.ListNodes.Create(room.Tree, room.Limits.ListSetting, room.Limits.IsListCompressed);
    }

    /// <summary>Gives a list in a tree nodes: one, of all its elements.</summary>
    public static void BecomeNodes(ref ValueRoom room, short setting, bool isCompressed)
    {
        TreeHeader* tree = room.Tree;
        room.Forest.ListNodes.Create(tree, setting, isCompressed);
        room.Forest.ListNodes.Insert(tree, 0, ListNode.Packed(tree->Count, tree->User0));
        tree->User0 = 0;
    }

    /// <summary>Makes the nodes of a list of one element what they are when it is pushed anew.</summary>
    public static void RenewNodes(ref ValueRoom room, ReadOnlySpan<byte> element)
    {
        ListNodeRing.Remove(ListNodeHeap.RingOf(room.Tree), 0, 1);
        new ListNodes(room.Forest, room.Tree).PushLast(element.Length, ListPackSize.Of(element));
    }

    /// <summary>Makes one listpack of a list of one node.</summary>
    public static void LeaveNodes(ref ValueRoom room)
    {
        TreeHeader* tree = room.Tree;
        tree->User0 = ListNodeRing.At(ListNodeHeap.RingOf(tree), 0).Bytes;
        room.Forest.ListNodes.Drop(tree);
    }

    /// <summary>Makes a packed list of one that has become small and is a listpack.</summary>
    public static void Pack(ref ValueRoom room)
    {
        TreeHeader* tree = room.Tree;
        if (tree->Count > MostPacked || tree->User0 > MostPackedBytes)
        {
            return;
        }

        int bytes = PackedForm.ListHeaderBytes;
        var cursor = default(TreeCursor);
        bool isBegun = false;
        while (TreeEntry.MoveNext(new TreeView(tree), ref cursor, ref isBegun))
        {
            bytes += TreeEntry.At(ref cursor).Length;
        }

        Span<byte> value = ElementScratch.Current.TakeValue(bytes);
        PackedForm.Write(value, room.Bytes[0] & ~PackedForm.KindMask | PackedForm.Entries, (int)tree->Count);
        PackedForm.SetListBytes(value, tree->User0);
        Span<byte> rest = value[PackedForm.ListHeaderBytes..];
        isBegun = false;
        while (TreeEntry.MoveNext(new TreeView(tree), ref cursor, ref isBegun))
        {
            ReadOnlySpan<byte> entry = TreeEntry.At(ref cursor);
            entry.CopyTo(rest);
            rest = rest[entry.Length..];
        }

        room.BecomePacked(value);
    }

    /// <summary>Puts an element to an end, or beside the one with an index.</summary>
    public static void Insert(ref ValueRoom room, long index, scoped in ElementCode element, int length, ListPlacement placement)
    {
        TreeHeader* tree = room.Tree;
        var cursor = default(TreeCursor);
        ReadOnlySpan<byte> entry = ElementScratch.Current.Encode(element);
        room.BeforeTreeChange();
        Count(ref room, index, length, ListPackSize.Of(PackedEntries.Read(entry, 0)), placement);
        cursor.Seek(new TreeView(tree), placement == ListPlacement.Behind ? index + 1 : index);
        room.Forest.Places.Insert(tree, ref cursor, entry);
    }

    public static void SetAt(ref ValueRoom room, long index, scoped in ElementCode element, int length)
    {
        TreeHeader* tree = room.Tree;
        var cursor = default(TreeCursor);
        ReadOnlySpan<byte> entry = ElementScratch.Current.Encode(element);
        room.BeforeTreeChange();
        cursor.Seek(new TreeView(tree), index);
        long oldSize = ListPackSize.Of(PackedEntries.Read(TreeEntry.At(ref cursor), 0));
        long size = ListPackSize.Of(PackedEntries.Read(entry, 0));
        if (tree->HasListNodes)
        {
            new ListNodes(room.Forest, tree).Replace(index, oldSize, length, size);
        }
        else
        {
            tree->User0 += size - oldSize;
        }

        room.Forest.Places.Replace(tree, ref cursor, entry);
    }

    /// <summary>Removes some but not all elements.</summary>
    public static void RemoveRange(ref ValueRoom room, long index, long count)
    {
        TreeHeader* tree = room.Tree;
        room.BeforeTreeChange();
        if (count > 1 && tree->HasListNodes)
        {
            new ListNodes(room.Forest, tree).RemoveRange(index, count);
            room.Forest.Places.RemoveRange(tree, index, count);
            return;
        }

        var cursor = default(TreeCursor);
        cursor.Seek(new TreeView(tree), index);
        if (count == 1)
        {
            CountRemoved(ref room, index, ListPackSize.Of(PackedEntries.Read(TreeEntry.At(ref cursor), 0)));
            room.Forest.Places.Remove(tree, ref cursor);
            return;
        }

        for (long i = 0; i < count; i++)
        {
            tree->User0 -= ListPackSize.Of(PackedEntries.Read(TreeEntry.At(ref cursor), 0));
            cursor.MoveNext();
        }

        room.Forest.Places.RemoveRange(tree, index, count);
    }

    /// <summary>As <see cref="ListValue.Remove"/>; the value is gone when all elements were equal.</summary>
    public static long Remove(ref ValueRoom room, scoped in ElementCode element, long most, bool fromEnd)
    {
        TreeHeader* tree = room.Tree;
        ReadOnlySpan<byte> code = ElementScratch.Current.Encode(element);
        long size = ListPackSize.Of(PackedEntries.Read(code, 0));
        long removed = 0;
        long count = tree->Count;
        long left = count;
        var cursor = default(TreeCursor);
        var walk = new ListNodeWalk(tree, fromEnd);
        cursor.Seek(new TreeView(tree), fromEnd ? left - 1 : 0);
        while ((most == 0 || removed < most) && (fromEnd ? MoveBackToMatch(ref cursor, code, ref left) : MoveToMatch(ref cursor, code, ref left)))
        {
            if (tree->Count == 1)
            {
                room.Remove();
                return removed + 1;
            }

            if (removed++ == 0)
            {
                room.BeforeTreeChange();
            }

            if (tree->HasListNodes)
            {
                new ListNodes(room.Forest, tree).Take(walk.NodeOf(count - left - 1), size);
            }
            else
            {
                tree->User0 -= size;
            }

            room.Forest.Places.Remove(tree, ref cursor);
            if (fromEnd)
            {
                cursor.MovePrevious();
            }
        }

        if (removed > 0 && tree->HasListNodes)
        {
            new ListNodes(room.Forest, tree).RemoveEmpty();
        }

        return removed;
    }

    /// <summary>Goes on to the next element of a code, at the cursor or behind it; false when it is not among the elements left, which become fewer by those seen.</summary>
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

    /// <summary>The same towards the head.</summary>
    public static bool MoveBackToMatch(ref TreeCursor cursor, scoped ReadOnlySpan<byte> code, ref long left)
    {
        while (left > 0)
        {
            left--;
            if (TreeEntry.At(ref cursor).SequenceEqual(code))
            {
                return true;
            }

            cursor.MovePrevious();
        }

        return false;
    }

    private static void Count(ref ValueRoom room, long index, int length, long size, ListPlacement placement)
    {
        TreeHeader* tree = room.Tree;
        if (!tree->HasListNodes)
        {
            tree->User0 += size;
            return;
        }

        var nodes = new ListNodes(room.Forest, tree);
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

    private static void CountRemoved(ref ValueRoom room, long index, long size)
    {
        TreeHeader* tree = room.Tree;
        if (tree->HasListNodes)
        {
            new ListNodes(room.Forest, tree).RemoveOne(index, size);
        }
        else
        {
            tree->User0 -= size;
        }
    }
}
