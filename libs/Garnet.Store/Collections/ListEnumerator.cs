// Walks elements of a list in either direction. Lives on the stack; void after the next change.
namespace Garnet.Store;

/// <summary>Shows elements one by one.</summary>
public ref struct ListEnumerator
{
    private readonly ListView _view;
    private readonly PackedOffsets _offsets;
    private readonly bool _isReverse;
    private long _left;
    private int _next;
    private bool _isBegun;
    private TreeCursor _cursor;
    private PackedElement _current;

    internal ListEnumerator(ListView view, long first, long count, bool isReverse)
    {
        _view = view;
        _isReverse = isReverse;
        _left = Math.Max(0, Math.Min(count, isReverse ? first + 1 : view.Length - first));
        if (_left == 0)
        {
            return;
        }

        if (view.IsTree)
        {
            _cursor.Seek(view.Tree, first);
        }
        else if (!isReverse)
        {
            _next = view.OffsetOf(first);
        }
        else
        {
            _offsets = new PackedOffsets(view.Bytes, view.OffsetOf(first - _left + 1), (int)_left, 1);
        }
    }

    /// <summary>The element stepped to.</summary>
    public readonly ReadOnlySpan<byte> Current => _current.Span;

    /// <summary>Itself.</summary>
    public readonly ListEnumerator GetEnumerator() => this;

    /// <summary>Steps to the next element.</summary>
    public bool MoveNext()
    {
        if (_left <= 0)
        {
            return false;
        }

        _left--;
        if (_view.IsTree)
        {
            if (_isBegun)
            {
                _ = _isReverse ? _cursor.MovePrevious() : _cursor.MoveNext();
            }

            _isBegun = true;
            _current = PackedEntries.Read(TreeEntry.At(ref _cursor), 0);
            return true;
        }

        int offset = _isReverse ? _offsets.At((int)_left) : _next;
        _current = PackedEntries.Read(_view.Bytes, offset);
        if (!_isReverse && _left > 0)
        {
            _next = PackedEntries.Next(_view.Bytes, offset);
        }

        return true;
    }
}
