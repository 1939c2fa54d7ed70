// Walks members of a sorted set upwards or downwards. Lives on the stack; invalid after the next change.
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.SortedSets;

/// <summary>Enumerates members with their scores.</summary>
internal ref struct SortedSetEnumerator
{
    private readonly SortedSetView _view;
    private readonly PackedOffsets _offsets;
    private readonly bool _isReverse;
    private long _left;
    private int _next;
    private bool _isBegun;
    private TreeCursor _cursor;
    private ScoredMember _current;

    internal SortedSetEnumerator(SortedSetView view, long first, long count, bool isReverse)
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
            _offsets = new PackedOffsets(view.Bytes, view.OffsetOf(first - _left + 1), (int)_left, 2);
    }

    /// <summary>The current member.</summary>
    public readonly ScoredMember Current => _current;

    /// <summary>Returns itself, for foreach.</summary>
    public readonly SortedSetEnumerator GetEnumerator() => this;

    /// <summary>Moves to the next member.</summary>
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
            _current = ScoreEntry.Read(TreeEntry.At(ref _cursor));
            return true;
        }

        _current = _view.At(_isReverse ? _offsets.At((int)_left) : _next, out _next);
        return true;
    }
}
