// Reads the bytes at a cursor. Pure functions.
namespace Garnet.Store.Collections.Trees;

/// <summary>Reads an entry of a tree; the bytes outlive the cursor and are invalid after the next change of the tree.</summary>
internal static unsafe class TreeEntry
{
    /// <summary>Number of low hash bits that a scan's cursor omits.</summary>
    public const int ScanShift = 16;

    public static ReadOnlySpan<byte> At(scoped ref TreeCursor cursor) => cursor.Entry;

    /// <summary>Moves to the first entry, then from entry to entry; false at the end.</summary>
    public static bool MoveNext(in TreeView view, ref TreeCursor cursor, ref bool isBegun)
    {
        if (isBegun)
            return cursor.MoveNext();

        isBegun = true;
        cursor.Seek(view, 0);
        return view.Count > 0;
    }

    /// <summary>
    /// The scan cursor for an entry: the upper 48 bits of its hash, which clients that store cursors as signed or floating-point numbers
    /// represent exactly; -1 at the end. Entries with the same number are visited together, so that no scan stalls and no entry is skipped.
    /// </summary>
    public static long ScanPosition(TreeStore trees, ref TreeCursor cursor) =>
        cursor.IsEnd ? -1 : (long)(trees.Hashes.Order.FirstWord(At(ref cursor)) >> ScanShift);

    /// <summary>The scan cursor for a member that is not in a tree.</summary>
    public static long ScanPositionOf(TreeStore trees, scoped ReadOnlySpan<byte> member) =>
        (long)(trees.Hashes.Order.KeyOf(ElementScratch.Current.Encode(ElementCode.Of(member))).High >> ScanShift);

    /// <summary>Moves to the position of a scan's cursor.</summary>
    public static void SeekScan(TreeStore trees, in TreeView view, ulong position, ref TreeCursor cursor) =>
        trees.Hashes.Find(
            view,
            HashOrder.KeyOfHash(position > ulong.MaxValue >> ScanShift ? ulong.MaxValue : position << ScanShift),
            ref cursor
        );

    public static ReadOnlySpan<byte> At(scoped in TreeView view, long index)
    {
        var cursor = default(TreeCursor);
        cursor.Seek(view, index);
        return LeafNode.Entry(cursor.Leaf, cursor.Slot);
    }
}
