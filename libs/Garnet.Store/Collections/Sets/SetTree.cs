// Changes of large sets: a tree of members by hash. Under the latch of the key.
using System.Buffers;

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

    /// <summary>
    /// Exchanges an empty packed set for a large one with all members, in the order of their hashes, so that nothing is searched for; false, with nothing changed, when two hashes are equal.
    /// </summary>
    public static bool TryBuild<TSource>(ref ValueRoom room, scoped ref TSource source)
        where TSource : IMemberSource, allows ref struct
    {
        int count = source.Count;
        TreeForest forest = room.Forest;
        ElementScratch scratch = ElementScratch.Current;
        ulong[] rentedHashes = ArrayPool<ulong>.Shared.Rent(count);
        int[] rentedOrder = ArrayPool<int>.Shared.Rent(count);
        Span<ulong> hashes = rentedHashes.AsSpan(0, count);
        Span<int> order = rentedOrder.AsSpan(0, count);
        for (int i = 0; i < count; i++)
        {
            hashes[i] = forest.Hashes.Order.FirstWord(scratch.Encode(ElementCode.Of(source.Member(i))));
            order[i] = i;
        }

        hashes.Sort(order);
        bool areDistinct = AreDistinct(hashes);
        if (areDistinct)
        {
            TreeHeader* tree = forest.Create();
            var cursor = default(TreeCursor);
            foreach (int index in order)
            {
                forest.Hashes.Insert(tree, ref cursor, scratch.Encode(ElementCode.Of(source.Member(index))));
                cursor.MoveNext();
            }

            room.BecomeTree(room.Bytes[0], tree, null);
        }

        ArrayPool<ulong>.Shared.Return(rentedHashes);
        ArrayPool<int>.Shared.Return(rentedOrder);
        return areDistinct;
    }

    private static bool AreDistinct(ReadOnlySpan<ulong> ascending)
    {
        for (int i = 1; i < ascending.Length; i++)
        {
            if (ascending[i] == ascending[i - 1])
            {
                return false;
            }
        }

        return true;
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
