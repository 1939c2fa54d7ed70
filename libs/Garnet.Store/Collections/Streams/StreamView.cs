// Reads a stream under its key's latch, or in a snapshot. Lives on the stack of the read.
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Streams;

/// <summary>The current state of a stream, or its state when a snapshot was taken.</summary>
internal readonly unsafe ref struct StreamView
{
    private readonly TreeStore? _trees;
    private readonly TreeView _tree;
    private readonly TreeView _groups;

    /// <summary>Reads the value passed to an <see cref="IValueReader"/>.</summary>
    /// <param name="value">The value's bytes.</param>
    /// <param name="info">The record information passed with it.</param>
    public StreamView(ReadOnlySpan<byte> value, in RecordInfo info)
        : this(value, info.Trees) { }

    internal StreamView(ReadOnlySpan<byte> value, TreeStore? trees)
    {
        if (trees is null || !PackedForm.IsTree(value))
            return;

        TreeHeader* tree = PackedForm.TreeOf(value);
        TreeHeader* groups = PackedForm.SecondTreeOf(value);
        _trees = trees;
        _tree = new TreeView(tree);
        _groups = groups == null ? default : new TreeView(groups);
        LastId = new StreamId((ulong)tree->User0, (ulong)tree->User1);
        Length = tree->User2;
    }

    internal StreamView(TreeStore trees, TreeSnapshot* snapshot)
    {
        var groups = (TreeSnapshot*)(nint)snapshot->User3;
        _trees = trees;
        _tree = new TreeView(snapshot);
        _groups = groups == null ? default : new TreeView(groups);
        LastId = new StreamId((ulong)snapshot->User0, (ulong)snapshot->User1);
        Length = snapshot->User2;
    }

    /// <summary>Whether the stream exists; it may be empty.</summary>
    public bool Exists => _trees is not null;

    /// <summary>Number of entries.</summary>
    public long Length { get; }

    /// <summary>The greatest ID ever added, or set by XSETID.</summary>
    public StreamId LastId { get; }

    /// <summary>The ID of the first entry, 0-0 when there is none.</summary>
    public StreamId FirstId
    {
        get
        {
            StreamEnumerator first = Range(StreamId.Min, StreamId.Max);
            return first.MoveNext() ? first.Current.Id : StreamId.Min;
        }
    }

    /// <summary>The greatest ID deleted.</summary>
    public StreamId MaxDeletedId => Exists ? StreamMetadata.MaxDeleted(Facts) : StreamId.Min;

    /// <summary>Number of entries ever added.</summary>
    public long EntriesAdded => Exists ? Length + StreamMetadata.Removed(Facts) : 0;

    /// <summary>Number of nodes that hold the entries.</summary>
    public long Nodes => Exists ? _tree.Count - 1 : 0;

    /// <summary>
    /// The number of nodes of Valkey's radix tree over <see cref="Nodes"/> keys: each key is the ID of a node's first entry, big-endian.
    /// </summary>
    public long RadixNodes => Exists ? StreamMetadata.RadixNodes(Facts) : 0;

    /// <summary>Number of groups.</summary>
    public int GroupCount => Exists ? (int)StreamMetadata.Groups(Facts) : 0;

    /// <summary>The groups in the order of their names; the stream must exist.</summary>
    public StreamGroupEnumerator Groups => new(GroupTree);

    internal ReadOnlySpan<byte> Facts => TreeEntry.At(_tree, 0);

    internal GroupReader GroupTree => new(_trees!, _groups);

    /// <summary>Live entries from one ID to another, in either direction.</summary>
    public StreamEnumerator Range(StreamId start, StreamId end, bool isReverse = false) => new(_trees!, _tree, start, end, isReverse);

    /// <summary>All nodes with all their entries, including deleted ones.</summary>
    public StreamNodeWalk WalkNodes() => new(_tree);

    /// <summary>Whether a live entry has an ID.</summary>
    public bool Contains(StreamId id) => Exists && Range(id, id).MoveNext();

    /// <summary>The group with a name; false when there is none.</summary>
    public bool TryGetGroup(ReadOnlySpan<byte> name, out StreamGroup group)
    {
        long number = Exists ? GroupTree.NumberOf(GroupEntry.NamesOf(0), name) : 0;
        group = number == 0 ? default : new StreamGroup(GroupTree, number);
        return number != 0;
    }

    /// <summary>The group with a number; it must exist.</summary>
    public StreamGroup GroupOf(long number) => new(GroupTree, number);

    /// <summary>The consumer with a number; it must exist.</summary>
    public StreamConsumer ConsumerOf(long number) => new(GroupTree, number);

    /// <summary>The pending entries of a group, given by number (<see cref="StreamGroup.Number"/>), by ID.</summary>
    public PendingEnumerator Pending(long group, StreamId start, StreamId end) => new(GroupTree, group, group, start, end);

    /// <summary>The pending entries of a consumer, by ID.</summary>
    public PendingEnumerator Pending(long group, long consumer, StreamId start, StreamId end) =>
        new(GroupTree, group, consumer, start, end);

    /// <summary>The lowest ID pending in a group, which must have one.</summary>
    public StreamId FirstPending(long group)
    {
        var cursor = default(TreeCursor);
        GroupTree.Seek(GroupOrder.KeyOf(GroupEntry.PendingOf(group)), ref cursor);
        return GroupEntry.IdIn(TreeEntry.At(ref cursor));
    }

    /// <summary>The greatest ID pending in a group, which must have one.</summary>
    public StreamId LastPending(long group)
    {
        var cursor = default(TreeCursor);
        GroupTree.Seek(GroupOrder.KeyOf(GroupEntry.PendingOf(group) + 1), ref cursor);
        cursor.MovePrevious();
        return GroupEntry.IdIn(TreeEntry.At(ref cursor));
    }

    /// <summary>A group's pending entry for an ID; false when there is none.</summary>
    public bool TryGetPending(long group, StreamId id, out PendingEntry entry)
    {
        bool isFound = GroupTree.TryGetPending(group, id, out ReadOnlySpan<byte> found);
        entry = isFound ? GroupEntry.PendingIn(found, GroupTree) : default;
        return isFound;
    }
}
