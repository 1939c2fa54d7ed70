// Random indexes below a bound, with or without repetition. Lives on the stack of one enumeration.
namespace Garnet.Store.Collections;

/// <summary>
/// Uniform indexes: independent ones, or distinct ones in random order. For entries that can only be found by walking to them, their
/// offsets are returned instead.
/// </summary>
internal ref struct SampledIndexes
{
    private const int MaxShuffled = 4096;

    // With fewer to draw, walking to each costs less than locating all entries.
    private const int FewestPlaced = 3;

    private readonly long _bound;
    private readonly bool _isDistinct;
    private readonly RandomPermutation _order;
    private readonly int[]? _shuffled;
    private long _given;

    public SampledIndexes(long bound, bool isDistinct)
    {
        _bound = bound;
        _isDistinct = isDistinct;
        if (!isDistinct || bound == 0)
            return;

        if (bound > MaxShuffled)
        {
            _order = new RandomPermutation(bound);
            return;
        }

        _shuffled = ElementScratch.Current.TakeOffsets((int)bound);
        for (int i = 0; i < bound; i++)
            _shuffled[i] = i;
    }

    /// <summary>For the entries of packed bytes, each of which consists of <paramref name="parts"/> parts.</summary>
    public SampledIndexes(ReadOnlySpan<byte> packed, int start, int parts, long bound, long count, bool isDistinct)
    {
        if (bound > MaxShuffled || count < FewestPlaced)
        {
            this = new SampledIndexes(bound, isDistinct);
            return;
        }

        _bound = bound;
        _isDistinct = isDistinct;
        AreOffsets = true;
        _shuffled = ElementScratch.Current.TakeOffsets((int)bound);
        for (int i = 0; i < bound; i++)
        {
            _shuffled[i] = start;
            start = PackedEntries.Skip(packed, start, parts);
        }
    }

    /// <summary>Whether <see cref="TryNext"/> returns offsets of entries instead of indexes.</summary>
    public bool AreOffsets { get; }

    /// <summary>The next index; false when the distinct ones are exhausted.</summary>
    public bool TryNext(out long index)
    {
        if (!_isDistinct && _bound > 0)
        {
            index = ElementScratch.Current.Random.NextInt64(_bound);
            if (_shuffled is not null)
                index = _shuffled[index];

            return true;
        }

        if (_given >= _bound)
        {
            index = -1;
            return false;
        }

        int given = (int)_given;
        _given++;
        if (_shuffled is null)
        {
            index = _order.At(_given - 1);
            return true;
        }

        // A Fisher-Yates shuffle, done only as far as needed.
        int pick = ElementScratch.Current.Random.Next(given, (int)_bound);
        (_shuffled[given], _shuffled[pick]) = (_shuffled[pick], _shuffled[given]);
        index = _shuffled[given];
        return true;
    }
}
