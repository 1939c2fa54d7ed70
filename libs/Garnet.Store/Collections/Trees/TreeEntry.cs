// The bytes at a cursor. Pure.
namespace Garnet.Store.Collections.Trees;

/// <summary>Reads an entry of a tree, whose bytes outlive the cursor: they are void after the next change of the tree.</summary>
internal static unsafe class TreeEntry
{
    /// <summary>Bits of a hash that a scan's cursor does without.</summary>
    public const int ScanShift = 16;

    public static ReadOnlySpan<byte> At(scoped ref TreeCursor cursor) => cursor.Entry;

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
    /// What a scan's cursor is when it has come to an entry: the upper 48 bits of its hash, which clients that keep cursors as signed or
    /// floating-point numbers hold exactly; -1 at the end. Entries of one such number are visited together, so that no scan stands still
    /// and none is left out.
    /// </summary>
    public static long ScanPosition(TreeStore trees, ref TreeCursor cursor) =>
        cursor.IsEnd ? -1 : (long)(trees.Hashes.Order.FirstWord(At(ref cursor)) >> ScanShift);

    /// <summary>The same of a member that is not in a tree.</summary>
    public static long ScanPositionOf(TreeStore trees, scoped ReadOnlySpan<byte> member) =>
        (long)(trees.Hashes.Order.KeyOf(ElementScratch.Current.Encode(ElementCode.Of(member))).High >> ScanShift);

    /// <summary>Goes to where a scan's cursor points.</summary>
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
