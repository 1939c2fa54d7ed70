// Random fields of a hash, for foreach. Lives on the stack; invalid after the next change.
namespace Garnet.Store.Collections.Hashes;

/// <summary>Enumerates visible fields chosen uniformly, with or without repetition.</summary>
internal ref struct HashSample
{
    private readonly HashView _view;
    private SampledIndexes _indexes;
    private long _left;
    private HashField _current;

    internal HashSample(HashView view, long count, bool isDistinct)
    {
        _view = view;
        _indexes = view.IsTree
            ? new SampledIndexes(view.Length, isDistinct)
            : new SampledIndexes(view.Bytes, view.Start, view.Stride, view.Length, count, isDistinct);

        // With repetition, drawing continues until it hits a visible field, so there must be at least one.
        _left = view.GetEnumerator().MoveNext() ? count : 0;
    }

    /// <summary>The field drawn.</summary>
    public readonly HashField Current => _current;

    /// <summary>Returns itself, for foreach.</summary>
    public readonly HashSample GetEnumerator() => this;

    /// <summary>Draws the next field.</summary>
    public bool MoveNext()
    {
        if (_left <= 0)
            return false;

        _left--;
        while (_indexes.TryNext(out long index))
        {
            _current = _indexes.AreOffsets ? _view.At((int)index, out _) : _view.AtIndex(index);
            if (!_view.IsExpired(_current.ExpiresAtMs))
                return true;
        }

        return false;
    }
}
