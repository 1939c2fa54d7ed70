// Changes of large lists: a tree of elements by position. Under the latch of the key.
namespace Garnet.Store;

/// <summary>
/// The tree's first fact is the size that Valkey's listpack would have, or -1 when it has become unknown: the elements of a large range that goes are not looked at.
/// </summary>
internal static unsafe class ListTree
{
    private const long Unknown = -1;
    private const long MostLookedAt = 64;
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

    /// <summary>Makes a packed list of one that has become small.</summary>
    public static void Pack(ref ValueRoom room)
    {
        TreeHeader* tree = room.Tree;
        if (tree->Count > MostPacked || tree->User0 is Unknown or > MostPackedBytes)
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

    /// <summary>Bytes of Valkey's listpack; at least so many when they are not known.</summary>
    public static long ListPackBytes(TreeHeader* tree, out bool isKnown)
    {
        isKnown = tree->User0 != Unknown;
        return isKnown ? tree->User0 : ListPackSize.Empty + (tree->Count * 2);
    }

    /// <summary>Counts the bytes of Valkey's listpack anew.</summary>
    public static void CountListPackBytes(TreeHeader* tree)
    {
        long bytes = ListPackSize.Empty;
        var cursor = default(TreeCursor);
        bool isBegun = false;
        while (TreeEntry.MoveNext(new TreeView(tree), ref cursor, ref isBegun))
        {
            bytes += ListPackSize.Of(PackedEntries.Read(TreeEntry.At(ref cursor), 0));
        }

        tree->User0 = bytes;
    }

    public static void InsertAt(ref ValueRoom room, long index, scoped in ElementCode element)
    {
        TreeHeader* tree = room.Tree;
        var cursor = default(TreeCursor);
        ReadOnlySpan<byte> entry = ElementScratch.Current.Encode(element);
        room.BeforeTreeChange();
        cursor.Seek(new TreeView(tree), index);
        room.Forest.Places.Insert(tree, ref cursor, entry);
        Count(tree, ListPackSize.Of(PackedEntries.Read(entry, 0)));
    }

    public static void SetAt(ref ValueRoom room, long index, scoped in ElementCode element)
    {
        TreeHeader* tree = room.Tree;
        var cursor = default(TreeCursor);
        ReadOnlySpan<byte> entry = ElementScratch.Current.Encode(element);
        room.BeforeTreeChange();
        cursor.Seek(new TreeView(tree), index);
        long oldBytes = ListPackSize.Of(PackedEntries.Read(TreeEntry.At(ref cursor), 0));
        room.Forest.Places.Replace(tree, ref cursor, entry);
        Count(tree, ListPackSize.Of(PackedEntries.Read(entry, 0)) - oldBytes);
    }

    /// <summary>Removes some but not all elements.</summary>
    public static void RemoveRange(ref ValueRoom room, long index, long count, bool isExact)
    {
        TreeHeader* tree = room.Tree;
        room.BeforeTreeChange();
        var cursor = default(TreeCursor);
        cursor.Seek(new TreeView(tree), index);
        if (count == 1)
        {
            Count(tree, -ListPackSize.Of(PackedEntries.Read(TreeEntry.At(ref cursor), 0)));
            room.Forest.Places.Remove(tree, ref cursor);
            return;
        }

        if (isExact || count <= MostLookedAt)
        {
            for (long i = 0; i < count; i++)
            {
                Count(tree, -ListPackSize.Of(PackedEntries.Read(TreeEntry.At(ref cursor), 0)));
                cursor.MoveNext();
            }
        }
        else
        {
            tree->User0 = Unknown;
        }

        room.Forest.Places.RemoveRange(tree, index, count);
    }

    /// <summary>As <see cref="ListValue.Remove"/>; the value is gone when all elements were equal.</summary>
    public static long Remove(ref ValueRoom room, scoped in ElementCode element, long most, bool fromEnd)
    {
        TreeHeader* tree = room.Tree;
        ReadOnlySpan<byte> code = ElementScratch.Current.Encode(element);
        long removed = 0;
        long left = tree->Count;
        var cursor = default(TreeCursor);
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

            Count(tree, -ListPackSize.Of(PackedEntries.Read(code, 0)));
            room.Forest.Places.Remove(tree, ref cursor);
            if (fromEnd)
            {
                cursor.MovePrevious();
            }
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

    private static void Count(TreeHeader* tree, long listPackBytes)
    {
        if (tree->User0 != Unknown)
        {
            tree->User0 += listPackBytes;
        }
    }
}
