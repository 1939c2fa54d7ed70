// Walks a stream node by node, with the entries that were deleted. Lives on the stack; void after the next change.
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Streams;

/// <summary>
/// Shows each node of a stream, and within it every entry: <see cref="MoveNextNode"/>, then <see cref="MoveNext"/> until it answers false.
/// </summary>
public ref struct StreamNodeWalk
{
    private TreeCursor _cursor;
    private bool _hasBegun;
    private StreamNode _node;
    private int _next;

    // The first entry of the tree is no node but the stream's facts.
    internal StreamNodeWalk(TreeView tree)
    {
        if (tree.Count > 1)
            _cursor.Seek(tree, 1);
        else
            _hasBegun = true;
    }

    /// <summary>The node's live entries.</summary>
    public readonly int Live => _node.Count;

    /// <summary>The node's deleted entries.</summary>
    public readonly int Deleted => _node.Deleted;

    /// <summary>The ID of the node, which its first entry has.</summary>
    public readonly StreamId Id => _node.Id;

    /// <summary>Number of the node's fields: those of its first entry.</summary>
    public readonly int Fields => _node.Fields;

    /// <summary>The names of the node's fields.</summary>
    public readonly PackedRun Names => new(_node.Bytes[StreamNode.HeaderBytes.._node.First]);

    /// <summary>
    /// The entry stepped to: the differences of its ID to the node's, then the values, or where the fields are not the node's, their number
    /// and each with its value.
    /// </summary>
    public PackedRun Entry { get; private set; }

    /// <summary>Whether the entry has the node's fields.</summary>
    public bool HasNodeFields { get; private set; }

    /// <summary>Whether the entry was deleted.</summary>
    public bool IsDeleted { get; private set; }

    /// <summary>Steps to the next node, before its first entry.</summary>
    public bool MoveNextNode()
    {
        if (_hasBegun && (_node.Bytes.IsEmpty || !_cursor.MoveNext()))
            return false;
        _hasBegun = true;
        _node = new StreamNode(TreeEntry.At(ref _cursor));
        _next = _node.First;
        return true;
    }

    /// <summary>Steps to the next entry of the node.</summary>
    public bool MoveNext()
    {
        if (_next >= _node.Bytes.Length)
            return false;
        int offset = _next;
        _next = _node.Next(offset);
        IsDeleted = (_node.Bytes[offset] & StreamNode.IsDeleted) != 0;
        HasNodeFields = (_node.Bytes[offset] & StreamNode.HasSameFields) != 0;
        Entry = new PackedRun(_node.Bytes[(offset + 1).._next]);
        return true;
    }
}
