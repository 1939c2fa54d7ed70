// Random members of a set, for foreach. Lives on the stack; invalid after the next change.
namespace Garnet.Store.Collections.Sets;

/// <summary>Enumerates members chosen uniformly, with or without repetition.</summary>
internal ref struct SetSample
{
    private readonly SetView _view;
    private SampledIndexes _indexes;
    private long _left;
    private PackedElement _current;

    internal SetSample(SetView view, long count, bool isDistinct)
    {
        _view = view;
        _indexes =
            view.IsTree || view.IsIntegers
                ? new SampledIndexes(view.Length, isDistinct)
                : new SampledIndexes(view.Bytes, view.OffsetOf(0), 1, view.Length, count, isDistinct);
        _left = count;
    }

    /// <summary>The member drawn.</summary>
    public readonly ReadOnlySpan<byte> Current => _current.Span;

    /// <summary>Returns itself, for foreach.</summary>
    public readonly SetSample GetEnumerator() => this;

    /// <summary>Draws the next member.</summary>
    public bool MoveNext()
    {
        if (_left <= 0 || !_indexes.TryNext(out long index))
            return false;

        _left--;
        _current = _indexes.AreOffsets ? PackedEntries.Read(_view.Bytes, (int)index) : _view.At(index);
        return true;
    }
}
