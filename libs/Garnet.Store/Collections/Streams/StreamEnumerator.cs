// Walks the entries of a stream in a range of IDs, upwards or downwards. Lives on the stack; invalid after the next change.
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Streams;

/// <summary>Enumerates the live entries.</summary>
internal ref struct StreamEnumerator
{
    private readonly StreamId _start;
    private readonly StreamId _end;
    private readonly bool _isReverse;
    private TreeCursor _cursor;
    private bool _isOver;
    private StreamNode _node;
    private PackedOffsets _offsets;
    private int _next;
    private StreamEntry _current;

    internal StreamEnumerator(TreeStore trees, TreeView tree, StreamId start, StreamId end, bool isReverse)
    {
        _start = start;
        _end = end;
        _isReverse = isReverse;
        StreamId from = isReverse ? end : start;

        // The node that covers the first ID starts at it or before it.
        if (
            tree.Count == 0
            || (!trees.Ids.Find(tree, IdOrder.KeyOf(from.Milliseconds, from.Sequence), ref _cursor) && !_cursor.MovePrevious())
        )
        {
            _isOver = true;
            return;
        }

        Open();
        if (_isOver && !isReverse && _cursor.MoveNext())
        {
            _isOver = false;
            Open();
        }
    }

    /// <summary>The current entry.</summary>
    public readonly StreamEntry Current => _current;

    /// <summary>Returns itself, for foreach.</summary>
    public readonly StreamEnumerator GetEnumerator() => this;

    /// <summary>Moves to the next live entry.</summary>
    public bool MoveNext()
    {
        while (!_isOver)
        {
            if (_isReverse ? _next < 0 : _next >= _node.Bytes.Length)
            {
                Step();
                continue;
            }

            int offset = _isReverse ? _offsets.At(_next--) : _next;
            StreamId id = _node.IdAt(offset, out int fields);
            if (!_isReverse)
                _next = _node.Next(offset, fields);

            if (_isReverse ? id < _start : id > _end)
            {
                _isOver = true;
                return false;
            }

            if ((_node.Bytes[offset] & StreamNode.IsDeleted) == 0 && (_isReverse ? id <= _end : id >= _start))
            {
                _current = _node.At(offset, id, fields);
                return true;
            }
        }

        return false;
    }

    private void Step()
    {
        if (_isReverse ? !_cursor.MovePrevious() : !_cursor.MoveNext())
        {
            _isOver = true;
            return;
        }

        Open();
    }

    // The first entry of the tree is the stream's metadata, not a node.
    private void Open()
    {
        _node = new StreamNode(TreeEntry.At(ref _cursor));
        if (_node.Id == StreamId.Min)
        {
            _isOver = true;
        }
        else if (_isReverse)
        {
            _offsets = new PackedOffsets(_node);
            _next = _node.Count + _node.Deleted - 1;
        }
        else
        {
            _next = _node.First;
        }
    }
}
