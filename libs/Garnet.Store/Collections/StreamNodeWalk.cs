// Walks a stream node by node, with the entries that were deleted. Lives on the stack; void after the next change.
namespace Garnet.Store;

/// <summary>Shows each node of a stream, and within it every entry: <see cref="MoveNextNode"/>, then <see cref="MoveNext"/> until it answers false. The first entry's names are the node's.</summary>
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

    /// <summary>The entry stepped to.</summary>
    public StreamEntry Current { get; private set; }

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
        IsDeleted = (_node.Bytes[_next] & StreamNode.IsDeleted) != 0;
        Current = _node.At(_next);
        _next = _node.Next(_next);
        return true;
    }
}
