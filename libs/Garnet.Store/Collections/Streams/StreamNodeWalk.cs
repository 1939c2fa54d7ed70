// Walks a stream node by node, including deleted entries. Lives on the stack; invalid after the next change.
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Streams;

/// <summary>
/// Enumerates the nodes of a stream and every entry of each: <see cref="MoveNextNode"/>, then <see cref="MoveNext"/> until it returns
/// false.
/// </summary>
internal ref struct StreamNodeWalk
{
    private TreeCursor _cursor;
    private bool _hasBegun;
    private StreamNode _node;
    private int _next;

    // The first entry of the tree is the stream's metadata, not a node.
    internal StreamNodeWalk(TreeView tree)
    {
        if (tree.Count > 1)
            _cursor.Seek(tree, 1);
        else
            _hasBegun = true;
    }

    /// <summary>Number of live entries in the node.</summary>
    public readonly int Live => _node.Count;

    /// <summary>Number of deleted entries in the node.</summary>
    public readonly int Deleted => _node.Deleted;

    /// <summary>The ID of the node, which is that of its first entry.</summary>
    public readonly StreamId Id => _node.Id;

    /// <summary>Number of the node's fields, which are those of its first entry.</summary>
    public readonly int Fields => _node.Fields;

    /// <summary>The names of the node's fields.</summary>
    public readonly PackedRun Names => new(_node.Bytes[StreamNode.HeaderBytes.._node.First]);

    /// <summary>
    /// The current entry: the differences of its ID to the node's ID, then the values, or, where the fields are not the node's, their
    /// number and each name with its value.
    /// </summary>
    public PackedRun Entry { get; private set; }

    /// <summary>Whether the entry has the node's fields.</summary>
    public bool HasNodeFields { get; private set; }

    /// <summary>Whether the entry was deleted.</summary>
    public bool IsDeleted { get; private set; }

    /// <summary>Moves to the next node, before its first entry.</summary>
    public bool MoveNextNode()
    {
        if (_hasBegun && (_node.Bytes.IsEmpty || !_cursor.MoveNext()))
            return false;
        _hasBegun = true;
        _node = new StreamNode(TreeEntry.At(ref _cursor));
        _next = _node.First;
        return true;
    }

    /// <summary>Moves to the next entry of the node.</summary>
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
