// Collects members from which a sorted set is then built in one step. Owned by one command.
using Garnet.Store.Memory;

namespace Garnet.Store.Collections.SortedSets;

/// <summary>
/// Building the trees of a large sorted set from ordered members costs a fraction of adding them one by one. So commands collect their
/// results here and sort them, unless they arrived in ascending or descending order. Capacity is bounded; members that do not fit are added
/// one by one.
/// </summary>
internal sealed class ScoredMembers : IScoredSource, IComparer<int>, IDisposable
{
    /// <summary>Keeps the memory needed here to a few tens of megabytes.</summary>
    public const int MaxMembers = 1 << 20;
    private const int MaxTextBytes = 64 << 20;
    private readonly ScratchList<byte> _text = new();
    private readonly ScratchList<Entry> _entries = new();
    private readonly ScratchList<int> _order = new();
    private bool _isAscending = true;
    private bool _isDescending = true;
    private bool _isSorted;

    /// <inheritdoc/>
    public int Count => _entries.Count;

    /// <inheritdoc/>
    public ReadOnlySpan<byte> Member(int index) => TextOf(EntryAt(index));

    /// <inheritdoc/>
    public double Score(int index) => EntryAt(index).Score;

    /// <summary>Adds a member not added before; false when the capacity is exhausted.</summary>
    public bool TryAdd(scoped ReadOnlySpan<byte> member, double score)
    {
        if (Count >= MaxMembers || member.Length > MaxTextBytes - _text.Count)
            return false;
        int start = _text.Count;
        member.CopyTo(_text.AddUnset(member.Length)[start..]);
        var entry = new Entry(start, member.Length, score);
        if (Count > 0 && (_isAscending || _isDescending))
        {
            int order = Compare(_entries[Count - 1], entry);
            _isAscending &= order < 0;
            _isDescending &= order > 0;
        }

        _entries.Add(entry);
        return true;
    }

    /// <summary>Sorts the members in sorted-set order; no members may be added afterwards.</summary>
    public void Sort()
    {
        _isSorted = true;
        if (_isAscending)
            return;
        Span<int> order = _order.AddUnset(Count);
        for (int i = 0; i < order.Length; i++)
            order[i] = _isDescending ? order.Length - 1 - i : i;
        if (_isDescending)
            return;
        using ScratchList<double> scratch = new();
        Span<double> scores = scratch.AddUnset(Count);
        for (int i = 0; i < scores.Length; i++)
            scores[i] = _entries[i].Score;

        // Sorting numbers is much faster than sorting members, which are compared only where scores are equal.
        scores.Sort(order);
        for (int first = 0, end = 1; first < scores.Length; first = end++)
        {
            while (end < scores.Length && scores[end] == scores[first])
                end++;
            if (end - first > 1)
                order[first..end].Sort(this);
        }
    }

    /// <summary>Adds everything to a detached sorted set, in one step if that is empty.</summary>
    /// <returns>False when a member occurred twice; the set must then be discarded.</returns>
    public bool AddTo(scoped ref SortedSetValue target)
    {
        if (!_isSorted)
            Sort();
        ScoredMembers source = this;
        if (target.TryBuild(ref source, out bool areDistinct))
            return areDistinct;
        bool areNew = true;
        for (int i = 0; i < Count; i++)
            areNew &= target.Set(Member(i), Score(i), out _);
        return areNew;
    }

    /// <inheritdoc/>
    public int Compare(int x, int y) => TextOf(_entries[x]).SequenceCompareTo(TextOf(_entries[y]));

    /// <inheritdoc/>
    public void Dispose()
    {
        _text.Dispose();
        _entries.Dispose();
        _order.Dispose();
    }

    private ref Entry EntryAt(int index) => ref _entries[_order.Count == 0 ? index : _order[index]];

    private ReadOnlySpan<byte> TextOf(in Entry entry) => _text.Span.Slice(entry.Start, entry.Length);

    private int Compare(in Entry a, in Entry b) => a.Score != b.Score ? a.Score.CompareTo(b.Score) : TextOf(a).SequenceCompareTo(TextOf(b));

    private readonly record struct Entry(int Start, int Length, double Score);
}
