// Random members of a sorted set, for foreach. Lives on the stack; invalid after the next change.
namespace Garnet.Store.Collections.SortedSets;

/// <summary>Enumerates members chosen uniformly, with or without repetition.</summary>
internal ref struct SortedSetSample
{
    private readonly SortedSetView _view;
    private SampledIndexes _indexes;
    private long _left;
    private ScoredMember _current;

    internal SortedSetSample(SortedSetView view, long count, bool isDistinct)
    {
        _view = view;
        _indexes = view.IsTree
            ? new SampledIndexes(view.Length, isDistinct)
            : new SampledIndexes(view.Bytes, view.Start, 2, view.Length, count, isDistinct);
        _left = count;
    }

    /// <summary>The member drawn.</summary>
    public readonly ScoredMember Current => _current;

    /// <summary>Returns itself, for foreach.</summary>
    public readonly SortedSetSample GetEnumerator() => this;

    /// <summary>Draws the next member.</summary>
    public bool MoveNext()
    {
        if (_left <= 0 || !_indexes.TryNext(out long index))
            return false;

        _left--;
        _current = _indexes.AreOffsets ? _view.At((int)index, out _) : _view.AtRank(index);
        return true;
    }
}
