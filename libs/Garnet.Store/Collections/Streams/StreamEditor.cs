// Changes to a stream's nodes and metadata. Used under the latch of the key; the caller has announced every change.
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Streams;

/// <summary>The steps that make up the changes of <see cref="StreamValue"/>.</summary>
internal static unsafe class StreamEditor
{
    /// <summary>Creates an empty stream in an absent value.</summary>
    public static void Create(scoped ref ValueStorage storage)
    {
        TreeHeader* tree = storage.Trees.Create();
        Span<byte> facts = stackalloc byte[StreamMetadata.Bytes];
        facts.Clear();
        StreamMetadata.AddRadixNodes(facts, 1);
        var cursor = default(TreeCursor);
        storage.Trees.Ids.Find(new TreeView(tree), IdOrder.KeyOf(0, 0), ref cursor);
        storage.Trees.Ids.Insert(tree, ref cursor, facts);
        storage.BecomeTree(PackedForm.Entries, tree, null);
    }

    /// <summary>Appends the entry whose fields are in the scratch.</summary>
    public static void Append(scoped ref ValueStorage storage, in NewEntry entry, StreamAppendPosition place)
    {
        TreeHeader* tree = storage.Tree;
        CountedTree<IdOrder> ids = storage.Trees.Ids;
        var cursor = default(TreeCursor);
        cursor.Seek(new TreeView(tree), tree->Count - 1);
        var node = new StreamNode(TreeEntry.At(ref cursor));
        StreamId id = entry.Id;
        bool hasRoom =
            place == StreamAppendPosition.LastNode
            || (place == StreamAppendPosition.ByLimits && HasSpace(node, entry.TextBytes, storage.Limits));
        if (node.Id != StreamId.Min && hasRoom)
        {
            AppendTo(in node, ids, tree, ref cursor, entry);
        }
        else
        {
            CountRadixNodes(ref storage, id, 1);
            ids.Find(new TreeView(tree), IdOrder.KeyOf(id.Milliseconds, id.Sequence), ref cursor);
            ids.Insert(tree, ref cursor, NewNode(entry));
        }

        tree->User0 = (long)id.Milliseconds;
        tree->User1 = (long)id.Sequence;
        tree->User2 += entry.Live;
    }

    /// <summary>Moves to the node that covers an ID; false when the ID is before all nodes.</summary>
    public static bool FindNode(scoped ref ValueStorage storage, StreamId id, ref TreeCursor cursor) =>
        (
            storage.Trees.Ids.Find(new TreeView(storage.Tree), IdOrder.KeyOf(id.Milliseconds, id.Sequence), ref cursor)
            || cursor.MovePrevious()
        )
        && StreamNode.IdIn(TreeEntry.At(ref cursor)) != StreamId.Min;

    /// <summary>Marks the entries of the cursor's node between two offsets as deleted; at least one live entry must remain.</summary>
    public static int MarkDeleted(scoped ref ValueStorage storage, ref TreeCursor cursor, int offset, int end)
    {
        ReadOnlySpan<byte> old = TreeEntry.At(ref cursor);
        Span<byte> made = ElementScratch.Current.TakeEntry(old.Length);
        old.CopyTo(made);
        int deleted = 0;
        for (var node = new StreamNode(made); offset < end; offset = node.Next(offset))
        {
            if ((made[offset] & StreamNode.IsDeleted) == 0)
            {
                made[offset] |= StreamNode.IsDeleted;
                deleted++;
            }
        }

        var header = new StreamNode(old);
        int count = header.Count - deleted;
        int marked = header.Deleted + deleted;
        int bytes =
            header.ListPackBytes
            + (int)(
                ListPackSize.OfInteger(count)
                - ListPackSize.OfInteger(header.Count)
                + ListPackSize.OfInteger(marked)
                - ListPackSize.OfInteger(header.Deleted)
            );
        StreamNode.WriteHeader(made, header.Id, count, marked, bytes, header.Fields);
        storage.Trees.Ids.Replace(storage.Tree, ref cursor, made);
        storage.Tree->User2 -= deleted;
        return deleted;
    }

    /// <summary>Removes the cursor's node; returns the number of live entries it had.</summary>
    public static int RemoveNode(scoped ref ValueStorage storage, ref TreeCursor cursor)
    {
        var node = new StreamNode(TreeEntry.At(ref cursor));
        (int count, StreamId id) = (node.Count, node.Id);
        storage.Trees.Ids.Remove(storage.Tree, ref cursor);
        storage.Tree->User2 -= count;
        CountRadixNodes(ref storage, id, -1);
        return count;
    }

    /// <summary>A copy of the metadata, to be changed and passed to <see cref="StoreFacts"/>.</summary>
    public static Span<byte> CopyFacts(scoped ref ValueStorage storage)
    {
        Span<byte> facts = ElementScratch.Current.TakeValue(StreamMetadata.Bytes);
        TreeEntry.At(new TreeView(storage.Tree), 0).CopyTo(facts);
        return facts;
    }

    public static void StoreFacts(scoped ref ValueStorage storage, ReadOnlySpan<byte> facts)
    {
        var cursor = default(TreeCursor);
        cursor.Seek(new TreeView(storage.Tree), 0);
        storage.Trees.Ids.Replace(storage.Tree, ref cursor, facts);
    }

    // For a node that is added or removed; it must not be in the tree during the call.
    private static void CountRadixNodes(scoped ref ValueStorage storage, StreamId id, int sign)
    {
        int nodes = RadixShape.NodesOf(storage.Trees, new TreeView(storage.Tree), id);
        Span<byte> facts = CopyFacts(ref storage);
        StreamMetadata.AddRadixNodes(facts, sign * nodes);
        StoreFacts(ref storage, facts);
    }

    private static bool HasSpace(in StreamNode node, long textBytes, CollectionLimits limits)
    {
        const long most = 1 << 30;
        long bytes = limits.StreamNodeMaxBytes is 0 or > most ? most : limits.StreamNodeMaxBytes;
        return node.ListPackBytes + textBytes < bytes
            && (limits.StreamNodeMaxEntries == 0 || node.Count + node.Deleted < limits.StreamNodeMaxEntries);
    }

    private static ReadOnlySpan<byte> NewNode(in NewEntry entry)
    {
        int fields = entry.Fields;
        ReadOnlySpan<byte> pairs = ElementScratch.Current.Fields;
        var zero = ElementCode.OfInteger(0);
        Span<byte> made = ElementScratch.Current.TakeEntry(StreamNode.HeaderBytes + 1 + (2 * zero.Size) + pairs.Length);

        // The first entry's names are the node's names, which are stored before it.
        long names = CopyEvery(pairs, made[StreamNode.HeaderBytes..], first: 0, out int nameBytes);
        Span<byte> first = made[(StreamNode.HeaderBytes + nameBytes)..];
        first[0] = (byte)(StreamNode.HasSameFields | (entry.Deleted * StreamNode.IsDeleted));
        long values = CopyEvery(pairs, zero.WriteTo(zero.WriteTo(first[1..])), first: 1, out _);
        long bytes = ListPackSize.Empty + 6 + ListPackSize.OfInteger(fields) + names + 6 + values + ListPackSize.OfInteger(fields + 3L);
        StreamNode.WriteHeader(made, entry.Id, entry.Live, entry.Deleted, (int)bytes, fields);
        return made;
    }

    // Appends after the node's last entry: in place, or in a longer copy of the node.
    private static void AppendTo(
        in StreamNode node,
        CountedTree<IdOrder> ids,
        TreeHeader* tree,
        scoped ref TreeCursor cursor,
        in NewEntry entry
    )
    {
        (StreamId id, int fields) = (entry.Id, entry.Fields);
        ReadOnlySpan<byte> pairs = ElementScratch.Current.Fields;
        bool hasSameFields = HasNames(node, pairs, fields);
        long milliseconds = (long)(id.Milliseconds - node.Id.Milliseconds);
        long sequence = (long)(id.Sequence - node.Id.Sequence);
        var millisecondsCode = ElementCode.OfInteger(milliseconds);
        var sequenceCode = ElementCode.OfInteger(sequence);
        var fieldsCode = ElementCode.OfInteger(fields);
        int end = node.Bytes.Length;

        // If the names are the node's, only the values follow.
        int pairBytes = hasSameFields ? BytesOfValues(pairs) : checked(fieldsCode.Size + pairs.Length);
        int length = checked(end + 1 + millisecondsCode.Size + sequenceCode.Size + pairBytes);
        bool isInPlace = ids.TryExtend(tree, ref cursor, length, out Span<byte> made);
        if (!isInPlace)
        {
            made = ElementScratch.Current.TakeEntry(length);
            node.Bytes.CopyTo(made);
        }

        made[end] = (byte)((hasSameFields ? StreamNode.HasSameFields : 0) | (entry.Deleted * StreamNode.IsDeleted));
        Span<byte> rest = sequenceCode.WriteTo(millisecondsCode.WriteTo(made[(end + 1)..]));
        long values;
        if (hasSameFields)
        {
            values = CopyEvery(pairs, rest, first: 1, out _);
        }
        else
        {
            pairs.CopyTo(fieldsCode.WriteTo(rest));
            values = ListPackSize.OfInteger(fields) + SizeOfAll(pairs);
        }

        (int count, int deleted) = (node.Count + entry.Live, node.Deleted + entry.Deleted);
        long pieces = hasSameFields ? fields + 3L : (fields * 2L) + 4;
        long bytes =
            node.ListPackBytes
            + 2
            + ListPackSize.OfInteger(milliseconds)
            + ListPackSize.OfInteger(sequence)
            + values
            + ListPackSize.OfInteger(pieces)
            + ListPackSize.OfInteger(count)
            - ListPackSize.OfInteger(node.Count)
            + ListPackSize.OfInteger(deleted)
            - ListPackSize.OfInteger(node.Deleted);
        StreamNode.WriteHeader(made, node.Id, count, deleted, (int)bytes, node.Fields);
        if (!isInPlace)
            ids.Replace(tree, ref cursor, made);
    }

    private static bool HasNames(in StreamNode node, ReadOnlySpan<byte> pairs, int fields)
    {
        if (node.Fields != fields)
            return false;

        int name = StreamNode.HeaderBytes;
        for (int offset = 0; offset < pairs.Length; offset = PackedEntries.Skip(pairs, offset, 2))
        {
            int next = PackedEntries.Next(node.Bytes, name);
            if (!node.Bytes[name..next].SequenceEqual(pairs[offset..PackedEntries.Next(pairs, offset)]))
                return false;

            name = next;
        }

        return true;
    }

    // Copies every second code; returns the size they would have in Valkey's listpack.
    private static long CopyEvery(ReadOnlySpan<byte> pairs, Span<byte> target, int first, out int used)
    {
        long bytes = 0;
        used = 0;
        for (int offset = PackedEntries.Skip(pairs, 0, first); offset < pairs.Length; offset = PackedEntries.Skip(pairs, offset, 2))
        {
            ReadOnlySpan<byte> code = pairs[offset..PackedEntries.Next(pairs, offset)];
            code.CopyTo(target[used..]);
            used += code.Length;
            bytes += ListPackSize.Of(PackedEntries.Read(code, 0));
        }

        return bytes;
    }

    private static int BytesOfValues(ReadOnlySpan<byte> pairs)
    {
        int bytes = 0;
        for (int offset = PackedEntries.Skip(pairs, 0, 1); offset < pairs.Length; offset = PackedEntries.Skip(pairs, offset, 2))
            bytes += PackedEntries.Next(pairs, offset) - offset;

        return bytes;
    }

    private static long SizeOfAll(ReadOnlySpan<byte> pairs)
    {
        long bytes = 0;
        for (int offset = 0; offset < pairs.Length; offset = PackedEntries.Next(pairs, offset))
            bytes += ListPackSize.Of(PackedEntries.Read(pairs, offset));

        return bytes;
    }
}
