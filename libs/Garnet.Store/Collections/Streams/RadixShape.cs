// Counts the nodes of Valkey's radix tree over IDs without building the tree. Stateless.
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Streams;

/// <summary>
/// The keys are the IDs of a stream's nodes, sixteen bytes big-endian. The tree has a node where keys diverge, one for every run of bytes
/// without a divergence between those, and one at the end of each key; an empty tree has its root. The nodes that a key adds depend only on
/// its neighbours, so the count is maintained in time logarithmic in the number of keys.
/// </summary>
internal static class RadixShape
{
    private const int KeyBytes = 16;
    private const int None = -1;

    /// <summary>Number of nodes that an ID adds to the tree of the other IDs.</summary>
    public static int NodesOf(TreeStore trees, in TreeView others, StreamId id)
    {
        var cursor = default(TreeCursor);
        trees.Ids.Find(others, IdOrder.KeyOf(id.Milliseconds, id.Sequence), ref cursor);
        StreamId? after = At(ref cursor);
        StreamId? before = Before(ref cursor);
        int withBefore = CommonBytes(before, id);
        int withAfter = CommonBytes(after, id);
        int at = Math.Max(withBefore, withAfter);
        if (at == None)
        {
            // The root becomes the run, and the key's end is added.
            return 1;
        }

        int own = at + 1 < KeyBytes ? 2 : 1;
        if (withBefore == withAfter)
            return own;

        // All keys that start with the same bytes are on one side.
        (StreamId first, StreamId last) =
            withBefore > withAfter
                ? (FirstFrom(trees, others, Fill(id, at, 0), out StreamId? outside), before!.Value)
                : (after!.Value, LastUpTo(trees, others, Fill(id, at, byte.MaxValue), out outside));
        int below = first == last ? KeyBytes : CommonBytes(first, last);
        if (below == at)
            return own;

        // A run is split in two, either of which may be empty.
        int above = Math.Max(CommonBytes(outside, first), Math.Min(withBefore, withAfter)) + 1;
        return own + (at > above ? 1 : 0) + (below > at + 1 ? 1 : 0);
    }

    // The first ID at or after a given one, and the one before it.
    private static StreamId FirstFrom(TreeStore trees, in TreeView view, StreamId from, out StreamId? before)
    {
        var cursor = default(TreeCursor);
        if (trees.Ids.Find(view, IdOrder.KeyOf(from.Milliseconds, from.Sequence), ref cursor) && from == StreamId.Min)
            cursor.MoveNext();

        StreamId? first = At(ref cursor);
        before = Before(ref cursor);
        return first!.Value;
    }

    // The last ID at or before a given one, and the one after it.
    private static StreamId LastUpTo(TreeStore trees, in TreeView view, StreamId to, out StreamId? behind)
    {
        var cursor = default(TreeCursor);
        if (trees.Ids.Find(view, IdOrder.KeyOf(to.Milliseconds, to.Sequence), ref cursor))
            cursor.MoveNext();

        behind = At(ref cursor);
        return Before(ref cursor)!.Value;
    }

    private static StreamId? At(ref TreeCursor cursor) => cursor.IsEnd ? null : StreamNode.IdIn(TreeEntry.At(ref cursor));

    // The first entry of a stream's tree is its metadata, not a node.
    private static StreamId? Before(ref TreeCursor cursor) =>
        cursor.MovePrevious() && StreamNode.IdIn(TreeEntry.At(ref cursor)) is var id && id != StreamId.Min ? id : null;

    // The ID with all bytes from an offset on replaced.
    private static StreamId Fill(StreamId id, int from, byte value)
    {
        Span<byte> bytes = stackalloc byte[KeyBytes];
        id.WriteKey(bytes);
        bytes[from..].Fill(value);
        return StreamId.ReadKey(bytes);
    }

    private static int CommonBytes(StreamId? one, StreamId other)
    {
        if (one is null)
            return None;

        Span<byte> bytes = stackalloc byte[2 * KeyBytes];
        one.Value.WriteKey(bytes);
        other.WriteKey(bytes[KeyBytes..]);
        return bytes[..KeyBytes].CommonPrefixLength(bytes[KeyBytes..]);
    }
}
