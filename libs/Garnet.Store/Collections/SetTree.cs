// Changes of large sets: a tree of members by hash. Under the latch of the key.
namespace Garnet.Store;

/// <summary>The large form of <see cref="SetValue"/>.</summary>
internal static unsafe class SetTree
{
    /// <summary>Makes a large set of packed entries.</summary>
    public static void Convert(ref ValueRoom room)
    {
        TreeForest forest = room.Forest;
        TreeHeader* tree = forest.Create();
        var cursor = default(TreeCursor);
        ReadOnlySpan<byte> packed = room.Bytes;
        int form = packed[0];
        for (int offset = PackedForm.HeaderBytes; offset < packed.Length;)
        {
            int next = PackedEntries.Next(packed, offset);
            ReadOnlySpan<byte> entry = packed[offset..next];
            forest.Hashes.Find(new TreeView(tree), forest.Hashes.Order.KeyOf(entry), ref cursor);
            forest.Hashes.Insert(tree, ref cursor, entry);
            offset = next;
        }

        room.BecomeTree(form, tree, null);
    }

    public static bool Add(ref ValueRoom room, scoped in ElementCode member)
    {
        TreeForest forest = room.Forest;
        var cursor = default(TreeCursor);
        ReadOnlySpan<byte> entry = ElementScratch.Current.Encode(member);
        if (forest.Hashes.Find(new TreeView(room.Tree), forest.Hashes.Order.KeyOf(entry), ref cursor))
        {
            return false;
        }

        room.BeforeTreeChange();
        forest.Hashes.Insert(room.Tree, ref cursor, entry);
        return true;
    }

    public static bool Remove(ref ValueRoom room, scoped in ElementCode member)
    {
        TreeForest forest = room.Forest;
        var cursor = default(TreeCursor);
        if (!forest.Hashes.Find(new TreeView(room.Tree), forest.Hashes.Order.KeyOf(ElementScratch.Current.Encode(member)), ref cursor))
        {
            return false;
        }

        RemoveAt(ref room, ref cursor);
        return true;
    }

    public static void RemoveAt(ref ValueRoom room, long index)
    {
        var cursor = default(TreeCursor);
        cursor.Seek(new TreeView(room.Tree), index);
        RemoveAt(ref room, ref cursor);
    }

    public static ulong Scan<TVisitor>(SetView view, ulong from, int count, ref TVisitor visitor)
        where TVisitor : struct, IElementVisitor, allows ref struct
    {
        var cursor = default(TreeCursor);
        TreeEntry.SeekScan(view.Trees, view.Tree, from, ref cursor);
        long last = -1;
        long position = TreeEntry.ScanPosition(view.Trees, ref cursor);
        while (position >= 0 && (count-- > 0 || position == last))
        {
            visitor.Visit(PackedEntries.Read(TreeEntry.At(ref cursor), 0).Span);
            last = position;
            cursor.MoveNext();
            position = TreeEntry.ScanPosition(view.Trees, ref cursor);
        }

        return (ulong)Math.Max(0, position);
    }

    private static void RemoveAt(ref ValueRoom room, ref TreeCursor cursor)
    {
        TreeHeader* tree = room.Tree;
        if (tree->Count == 1)
        {
            room.Remove();
            return;
        }

        room.BeforeTreeChange();
        room.Forest.Hashes.Remove(tree, ref cursor);
    }
}
