// Reads a sorted set from the bytes of its value, under a latch or without one. Lives on the stack of the read.
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.SortedSets;

/// <summary>
/// A sorted set as read from its record's bytes; without a latch its answers hold only once the read has been validated
/// (<see cref="IValueReader"/>).
/// </summary>
internal readonly unsafe ref struct SortedSetView
{
    private readonly ReadOnlySpan<byte> _bytes;
    private readonly TreeStore? _trees;
    private readonly TreeView _tree;
    private readonly TreeView _fingerprints;

    /// <summary>Reads the value passed to an <see cref="IValueReader"/>.</summary>
    /// <param name="value">The value's bytes.</param>
    /// <param name="info">The record information passed with it.</param>
    public SortedSetView(ReadOnlySpan<byte> value, in RecordInfo info)
        : this(value, info.Trees) { }

    // Without the trees no pointer in the bytes is followed, since the bytes may be torn.
    internal SortedSetView(ReadOnlySpan<byte> value, TreeStore? trees)
    {
        if (PackedForm.Kind(value) != PackedForm.Tree)
        {
            _bytes = value;
        }
        else if (trees is not null)
        {
            _bytes = value;
            _trees = trees;
            _tree = new TreeView(PackedForm.TreeOf(value));
            _fingerprints = new TreeView(PackedForm.SecondTreeOf(value));
        }
    }

    internal SortedSetView(TreeStore trees, TreeSnapshot* snapshot)
    {
        _trees = trees;
        _tree = new TreeView(snapshot);
    }

    /// <summary>Number of members.</summary>
    public long Length => IsTree ? _tree.Count : PackedForm.Count(_bytes);

    internal bool IsTree => _trees is not null;

    internal TreeView Tree => _tree;

    internal TreeView Fingerprints => _fingerprints;

    internal TreeStore Trees => _trees!;

    internal ReadOnlySpan<byte> Bytes => _bytes;

    internal int Start => Math.Min(PackedForm.HeaderBytes, _bytes.Length);

    /// <summary>The score of a member; false when it does not exist.</summary>
    public bool TryGetScore(ReadOnlySpan<byte> member, out double score)
    {
        if (IsTree)
            return SortedSetTree.TryGetScore(this, member, out score);

        int offset = Find(ElementCode.Of(member));
        score = offset < 0 ? double.NaN : PackedEntries.ReadScore(_bytes, PackedEntries.Next(_bytes, offset));
        return offset >= 0;
    }

    /// <summary>The rank of a member counted from the lowest score, -1 when it does not exist.</summary>
    public long Rank(ReadOnlySpan<byte> member)
    {
        if (IsTree)
            return SortedSetTree.Rank(this, member);

        var code = ElementCode.Of(member);
        long rank = 0;
        for (int offset = Start; offset < _bytes.Length; rank++)
        {
            if (_bytes[offset] == code.Tag && code.Matches(_bytes[offset..]))
                return rank;

            offset = PackedEntries.Skip(_bytes, offset, 2);
        }

        return -1;
    }

    /// <summary>All members, ascending.</summary>
    public SortedSetEnumerator GetEnumerator() => new(this, 0, Length, isReverse: false);

    /// <summary>The given number of members starting at an ascending rank, upwards or downwards.</summary>
    public SortedSetEnumerator Range(long first, long count, bool isReverse) => new(this, first, count, isReverse);

    internal int Find(in ElementCode member) => PackedEntries.Find(_bytes, Start, 2, member);

    /// <summary>Offset of the entry at a rank.</summary>
    internal int OffsetOf(long rank) => PackedEntries.Skip(_bytes, Start, rank * 2);

    internal ScoredMember AtRank(long rank) => IsTree ? ScoreEntry.Read(TreeEntry.At(_tree, rank)) : At(OffsetOf(rank), out _);

    internal ScoredMember At(int offset, out int next)
    {
        int score = PackedEntries.Next(_bytes, offset);
        next = score < _bytes.Length ? PackedEntries.Next(_bytes, score) : score;
        return new ScoredMember(PackedEntries.Read(_bytes, offset), PackedEntries.ReadScore(_bytes, score));
    }

    internal RankRange RanksOf(in ScoreRange range)
    {
        if (IsTree)
            return SortedSetTree.RanksOf(this, range);

        long first = 0;
        long count = 0;
        for (int offset = Start; offset < _bytes.Length; )
        {
            int scoreOffset = PackedEntries.Next(_bytes, offset);
            double score = PackedEntries.ReadScore(_bytes, scoreOffset);
            if (range.IsBelow(score))
                first++;
            else if (range.IsAbove(score))
                break;
            else
                count++;

            offset = PackedEntries.Skip(_bytes, scoreOffset, 1);
        }

        return new RankRange(first, count);
    }

    /// <summary>
    /// The ranks of a lexicographic range, which is contiguous if all scores are equal. If they are not, the walk starts at the first
    /// member (in reverse, the last) that is inside the bound on its side, and ends before the first that is outside the other bound, as in
    /// Valkey.
    /// </summary>
    internal RankRange RanksOf(in LexRange range, bool isReverse)
    {
        if (IsTree)
            return SortedSetTree.RanksOf(this, range);

        // Runs of members inside the bound where the walk ends; the run of the walk's first member is the result.
        long rank = 0;
        long runStart = 0;
        long first = -1;
        long last = -1;
        bool isBelow = false;
        bool isBegun = false;
        for (int offset = Start; offset < _bytes.Length; rank++)
        {
            PackedElement member = PackedEntries.Read(_bytes, offset);
            isBelow = range.IsBelow(member);
            bool isAbove = range.IsAbove(member);
            if (rank == 0 && isAbove)
                return default;

            if (isReverse)
            {
                runStart = isBelow ? rank + 1 : runStart;
                (first, last) = isAbove ? (first, last) : (runStart, rank);
            }
            else if (!isBegun && !isBelow)
            {
                isBegun = true;
                (first, last) = (rank, isAbove ? rank - 1 : rank);
            }
            else if (isBegun && last == rank - 1 && !isAbove)
            {
                last = rank;
            }

            offset = PackedEntries.Skip(_bytes, offset, 2);
        }

        return isBelow || first < 0 || last < first ? default : new RankRange(first, last - first + 1);
    }

    internal RankRange RanksFrom(long start, in LexRange range, bool isReverse)
    {
        if (start < 0 || start >= Length)
            return default;

        long first = isReverse ? 0 : start;
        long rank = first;
        for (int offset = OffsetOf(first); offset < _bytes.Length && (!isReverse || rank <= start); rank++)
        {
            PackedElement member = PackedEntries.Read(_bytes, offset);
            if (isReverse && range.IsBelow(member))
                first = rank + 1;
            else if (!isReverse && range.IsAbove(member))
                break;

            offset = PackedEntries.Skip(_bytes, offset, 2);
        }

        return new RankRange(first, rank - first);
    }

    /// <summary>Insertion point of a member with a score: before the first greater one.</summary>
    internal int PlaceOf(double score, ReadOnlySpan<byte> member)
    {
        int offset = Start;
        while (offset < _bytes.Length)
        {
            int scoreOffset = PackedEntries.Next(_bytes, offset);
            double there = PackedEntries.ReadScore(_bytes, scoreOffset);
            if (there > score || (there == score && PackedEntries.Read(_bytes, offset).CompareTo(member) > 0))
                return offset;

            offset = PackedEntries.Skip(_bytes, scoreOffset, 1);
        }

        return offset;
    }
}
