// Searches a list for elements equal to a given one. Lives on the stack; invalid after the next change.
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Lists;

/// <summary>Enumerates the indexes of matches, from either end; elements are compared in encoded form.</summary>
internal ref struct ListSearch
{
    private readonly ListView _view;
    private readonly PackedOffsets _offsets;
    private readonly ReadOnlySpan<byte> _code;
    private readonly long _most;
    private readonly bool _isReverse;
    private TreeCursor _cursor;
    private long _left;
    private int _next;

    internal ListSearch(ListView view, ReadOnlySpan<byte> element, long most, bool isReverse)
    {
        _view = view;
        _isReverse = isReverse;
        _most = Math.Max(0, Math.Min(most, view.Length));
        _left = _most;
        _code = ElementScratch.Current.Encode(ElementCode.Of(element));
        if (_left == 0)
            return;

        if (view.IsTree)
            _cursor.Seek(view.Tree, isReverse ? view.Length - 1 : 0);
        else if (!isReverse)
            _next = view.OffsetOf(0);
        else
            _offsets = new PackedOffsets(view.Bytes, view.OffsetOf(view.Length - _left), (int)_left, 1);
    }

    /// <summary>Moves to the next match; false, with index -1, when there is none.</summary>
    public bool TryNext(out long index)
    {
        bool isFound = _view.IsTree ? TryNextInTree() : TryNextPacked();
        long seen = _most - _left;
        index =
            !isFound ? -1
            : _isReverse ? _view.Length - seen
            : seen - 1;
        return isFound;
    }

    private bool TryNextInTree()
    {
        bool isFound = _isReverse
            ? ListTree.MoveBackToMatch(ref _cursor, _code, ref _left)
            : ListTree.MoveToMatch(ref _cursor, _code, ref _left);
        if (isFound)
            _ = _isReverse ? _cursor.MovePrevious() : _cursor.MoveNext();

        return isFound;
    }

    private bool TryNextPacked()
    {
        while (_left > 0)
        {
            _left--;
            int offset = _isReverse ? _offsets.At((int)_left) : _next;
            int end = PackedEntries.Next(_view.Bytes, offset);
            _next = end;
            if (_view.Bytes[offset..end].SequenceEqual(_code))
                return true;
        }

        return false;
    }
}
