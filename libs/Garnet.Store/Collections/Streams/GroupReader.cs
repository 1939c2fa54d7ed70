// Reads the groups beside a stream under its key's latch, or of a picture. Immutable; void after the next change.
using System.Diagnostics;
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Streams;

/// <summary>
/// Finds entries of the tree of groups, which a stream without any may lack; <see cref="GroupEntry"/> says what they are.
/// </summary>
internal readonly unsafe struct GroupReader(TreeStore trees, TreeView tree)
{
    private readonly TreeStore _trees = trees;
    private readonly TreeView _tree = tree;

    /// <summary>The number that a name has in a section of names, 0 when it has none.</summary>
    public long NumberOf(ulong section, scoped ReadOnlySpan<byte> name) =>
        _trees.Groups.TryGet(_tree, GroupOrder.KeyOf(section, name), out ReadOnlySpan<byte> entry) ? GroupEntry.NumberIn(entry) : 0;

    /// <summary>The facts of a number that was given to a group or consumer, with its name behind them.</summary>
    public ReadOnlySpan<byte> FactsOf(long number)
    {
        bool isFound = _trees.Groups.TryGet(_tree, GroupOrder.KeyOf(GroupEntry.FactsOf(number)), out ReadOnlySpan<byte> entry);
        Debug.Assert(isFound, "A group or consumer has no facts.");
        return GroupEntry.Behind(entry);
    }

    /// <summary>The entry of what is pending in a group; false when it has none with the ID.</summary>
    public bool TryGetPending(long group, StreamId id, out ReadOnlySpan<byte> entry) =>
        _trees.Groups.TryGet(_tree, GroupOrder.KeyOf(GroupEntry.PendingOf(group), id), out entry);

    /// <summary>Goes to the first entry that is not before a key, or to the end.</summary>
    public void Seek(scoped in TreeKey key, ref TreeCursor cursor)
    {
        if (_tree.Root != null)
        {
            _trees.Groups.Find(_tree, key, ref cursor);
        }
    }
}
