// Reads the groups tree of a stream, under its key's latch or in a snapshot. Immutable; invalid after the next change.
using System.Diagnostics;
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Streams;

/// <summary>
/// Finds entries of the groups tree, which may be absent; <see cref="GroupEntry"/> describes them.
/// </summary>
internal readonly unsafe struct GroupReader(TreeStore trees, TreeView tree)
{
    private readonly TreeStore _trees = trees;
    private readonly TreeView _tree = tree;

    /// <summary>The number registered for a name in a names section, 0 for none.</summary>
    public long NumberOf(ulong section, scoped ReadOnlySpan<byte> name) =>
        _trees.Groups.TryGet(_tree, GroupOrder.KeyOf(section, name), out ReadOnlySpan<byte> entry) ? GroupEntry.NumberIn(entry) : 0;

    /// <summary>The metadata of a group's or consumer's number, followed by its name.</summary>
    public ReadOnlySpan<byte> FactsOf(long number)
    {
        bool isFound = _trees.Groups.TryGet(_tree, GroupOrder.KeyOf(GroupEntry.FactsOf(number)), out ReadOnlySpan<byte> entry);
        Debug.Assert(isFound, "A group or consumer has no metadata.");
        return GroupEntry.Behind(entry);
    }

    /// <summary>A group's pending entry for an ID; false when there is none.</summary>
    public bool TryGetPending(long group, StreamId id, out ReadOnlySpan<byte> entry) =>
        _trees.Groups.TryGet(_tree, GroupOrder.KeyOf(GroupEntry.PendingOf(group), id), out entry);

    /// <summary>Moves to the first entry that is not before a key, or to the end.</summary>
    public void Seek(scoped in TreeKey key, ref TreeCursor cursor)
    {
        if (_tree.Root != null)
            _trees.Groups.Find(_tree, key, ref cursor);
    }
}
