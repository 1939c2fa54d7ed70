// Walks elements of a list in either direction. Lives on the stack; invalid after the next change.
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Lists;

/// <summary>Enumerates elements.</summary>
internal ref struct ListEnumerator
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
            return;

        if (view.IsTree)
            _cursor.Seek(view.Tree, first);
        else if (!isReverse)
            _next = view.OffsetOf(first);
        else
            _offsets = new PackedOffsets(view.Bytes, view.OffsetOf(first - _left + 1), (int)_left, 1);
    }

    /// <summary>The current element.</summary>
    public readonly ReadOnlySpan<byte> Current => _current.Span;

    /// <summary>The current element as it is stored.</summary>
    internal readonly PackedElement Element => _current;

    /// <summary>Returns itself, for foreach.</summary>
    public readonly ListEnumerator GetEnumerator() => this;

    /// <summary>
    /// Moves over the next contiguous elements, at most <paramref name="most"/>, of a walk towards the tail; false at the end.
    /// </summary>
    public bool MoveToRun(long most, out PackedRun run)
    {
        run = default;
        most = Math.Min(most, _left);
        if (most <= 0)
            return false;

        if (!_view.IsTree)
        {
            int start = _next;
            _next = most == _left ? _view.Bytes.Length : PackedEntries.Skip(_view.Bytes, start, most);
            _left -= most;
            run = new PackedRun(_view.Bytes[start.._next]);
            return true;
        }

        if (_isBegun)
            _cursor.MoveNext();

        _isBegun = true;
        run = new PackedRun(_cursor.MoveOverCodes((int)Math.Min(most, int.MaxValue), out int entries));
        _left -= entries;
        return true;
    }

    /// <summary>Moves to the next element.</summary>
    public bool MoveNext()
    {
        if (_left <= 0)
            return false;

        _left--;
        if (_view.IsTree)
        {
            if (_isBegun)
                _ = _isReverse ? _cursor.MovePrevious() : _cursor.MoveNext();

            _isBegun = true;
            _current = PackedEntries.Read(TreeEntry.At(ref _cursor), 0);
            return true;
        }

        int offset = _isReverse ? _offsets.At((int)_left) : _next;
        _current = PackedEntries.Read(_view.Bytes, offset);
        if (!_isReverse && _left > 0)
            _next = PackedEntries.Next(_view.Bytes, offset);

        return true;
    }
}
