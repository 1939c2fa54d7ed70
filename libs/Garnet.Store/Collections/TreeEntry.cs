// The bytes at a cursor. Pure.
namespace Garnet.Store;

/// <summary>Reads an entry of a tree, whose bytes outlive the cursor: they are void after the next change of the tree.</summary>
internal static unsafe class TreeEntry
{
    public static ReadOnlySpan<byte> At(scoped ref TreeCursor cursor)
    {
        cursor.Settle();
        return LeafNode.Entry(cursor.Leaf, cursor.Slot);
    }

    /// <summary>Goes to the first entry, then from entry to entry; false at the end.</summary>
    public static bool MoveNext(in TreeView view, ref TreeCursor cursor, ref bool isBegun)
    {
        if (isBegun)
        {
            return cursor.MoveNext();
        }

        isBegun = true;
        cursor.Seek(view, 0);
        return view.Count > 0;
    }

    /// <summary>
    /// Where a scan goes on from a cursor that is a hash; and what the cursor is once it has come to an entry. Entries of one hash stay together, so that no scan stands still.
    /// </summary>
    public static ulong ScanPosition(TreeForest trees, ref TreeCursor cursor) => cursor.IsEnd ? 0 : trees.Hashes.Order.FirstWord(At(ref cursor));

    public static ReadOnlySpan<byte> At(scoped in TreeView view, long index)
    {
        var cursor = default(TreeCursor);
        cursor.Seek(view, index);
        return LeafNode.Entry(cursor.Leaf, cursor.Slot);
    }
}
