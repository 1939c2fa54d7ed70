// Walks the pending entries of a group, by ID. Lives on the stack; void after the next change.
namespace Garnet.Store;

/// <summary>Shows pending entries one by one: a group's, or one consumer's of it.</summary>
public ref struct PendingEnumerator
{
    private readonly StreamGroup _group;
    private readonly int _consumer;
    private readonly StreamId _end;
    private TreeCursor _cursor;
    private bool _isOver;
    private PendingEntry _current;

    internal PendingEnumerator(TreeForest trees, TreeView pending, StreamGroup group, int consumer, StreamId start, StreamId end)
    {
        _group = group;
        _consumer = consumer;
        _end = end;
        trees.Ids.Find(pending, IdOrder.KeyOf(start.Milliseconds, start.Sequence), ref _cursor);
        _isOver = _cursor.IsEnd;
    }

    /// <summary>The entry stepped to.</summary>
    public readonly PendingEntry Current => _current;

    /// <summary>Itself.</summary>
    public readonly PendingEnumerator GetEnumerator() => this;

    /// <summary>Steps to the next pending entry.</summary>
    public bool MoveNext()
    {
        while (!_isOver)
        {
            ReadOnlySpan<byte> node = TreeEntry.At(ref _cursor);
            if (StreamNode.IdIn(node) > _end)
            {
                _isOver = true;
                return false;
            }

            int offset = PendingNode.Find(node, _group.Number);
            _isOver = !_cursor.MoveNext();
            if (offset >= 0)
            {
                _current = PendingNode.Read(node, offset, _group);
                if (_consumer < 0 || _current.ConsumerNumber == _consumer)
                {
                    return true;
                }
            }
        }

        return false;
    }
}
