// Changes to large sets: a tree of members by hash. Used under the latch of the key.
using System.Buffers;
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Sets;

/// <summary>The large form of <see cref="SetValue"/>.</summary>
internal static unsafe class SetTree
{
    /// <summary>Converts packed entries into a large set.</summary>
    public static void Convert(ref ValueStorage storage)
    {
        TreeStore trees = storage.Trees;
        TreeHeader* tree = trees.Create();
        var cursor = default(TreeCursor);
        ReadOnlySpan<byte> packed = storage.Bytes;
        int form = packed[0];
        for (int offset = PackedForm.HeaderBytes; offset < packed.Length; )
        {
            int next = PackedEntries.Next(packed, offset);
            ReadOnlySpan<byte> entry = packed[offset..next];
            trees.Hashes.Find(new TreeView(tree), trees.Hashes.Order.KeyOf(entry), ref cursor);
            trees.Hashes.Insert(tree, ref cursor, entry);
            offset = next;
        }

        storage.BecomeTree(form, tree, null);
    }

    /// <summary>
    /// Replaces an empty packed set by a large one with all members, inserted in the order of their hashes so that no searches are needed;
    /// false, with nothing changed, when two hashes are equal.
    /// </summary>
    public static bool TryBuild<TSource>(ref ValueStorage storage, scoped ref TSource source)
        where TSource : IMemberSource, allows ref struct
    {
        int count = source.Count;
        TreeStore trees = storage.Trees;
        ElementScratch scratch = ElementScratch.Current;
        ulong[] rentedHashes = ArrayPool<ulong>.Shared.Rent(count);
        int[] rentedOrder = ArrayPool<int>.Shared.Rent(count);
        Span<ulong> hashes = rentedHashes.AsSpan(0, count);
        Span<int> order = rentedOrder.AsSpan(0, count);
        for (int i = 0; i < count; i++)
        {
            hashes[i] = trees.Hashes.Order.FirstWord(scratch.Encode(ElementCode.Of(source.Member(i))));
            order[i] = i;
        }

        hashes.Sort(order);
        bool areDistinct = AreDistinct(hashes);
        if (areDistinct)
        {
            TreeHeader* tree = trees.Create();
            var cursor = default(TreeCursor);
            foreach (int index in order)
            {
                trees.Hashes.Insert(tree, ref cursor, scratch.Encode(ElementCode.Of(source.Member(index))));
                cursor.MoveNext();
            }

            storage.BecomeTree(storage.Bytes[0], tree, null);
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
                return false;
        }

        return true;
    }

    public static bool Add(ref ValueStorage storage, scoped in ElementCode member)
    {
        TreeStore trees = storage.Trees;
        var cursor = default(TreeCursor);
        ReadOnlySpan<byte> entry = ElementScratch.Current.Encode(member);
        if (trees.Hashes.Find(new TreeView(storage.Tree), trees.Hashes.Order.KeyOf(entry), ref cursor))
            return false;

        storage.BeforeTreeChange();
        trees.Hashes.Insert(storage.Tree, ref cursor, entry);
        return true;
    }

    public static bool Remove(ref ValueStorage storage, scoped in ElementCode member)
    {
        TreeStore trees = storage.Trees;
        var cursor = default(TreeCursor);
        if (!trees.Hashes.Find(new TreeView(storage.Tree), trees.Hashes.Order.KeyOf(ElementScratch.Current.Encode(member)), ref cursor))
            return false;

        RemoveAt(ref storage, ref cursor);
        return true;
    }

    public static void RemoveAt(ref ValueStorage storage, long index)
    {
        var cursor = default(TreeCursor);
        cursor.Seek(new TreeView(storage.Tree), index);
        RemoveAt(ref storage, ref cursor);
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

    private static void RemoveAt(ref ValueStorage storage, ref TreeCursor cursor)
    {
        TreeHeader* tree = storage.Tree;
        if (tree->Count == 1)
        {
            storage.Remove();
            return;
        }

        storage.BeforeTreeChange();
        storage.Trees.Hashes.Remove(tree, ref cursor);
    }
}
