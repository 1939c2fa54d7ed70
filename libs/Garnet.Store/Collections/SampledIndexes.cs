// Random indexes below a bound, with repetition or without. Lives on the stack of one enumeration.
namespace Garnet.Store.Collections;

/// <summary>
/// Uniform indexes: independent ones, or distinct ones in random order. Of entries that are found by walking to them, where they start is
/// given instead.
/// </summary>
internal ref struct SampledIndexes
{
    private const int MaxShuffled = 4096;

    // With fewer to draw, walking to each costs less than finding all.
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
        {
            return;
        }

        if (bound > MaxShuffled)
        {
            _order = new RandomPermutation(bound);
            return;
        }

        _shuffled = ElementScratch.Current.TakeOffsets((int)bound);
        for (int i = 0; i < bound; i++)
        {
            _shuffled[i] = i;
        }
    }

    /// <summary>Of the entries of packed bytes, each of so many parts.</summary>
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

    /// <summary>Whether what is given is where entries start.</summary>
    public bool AreOffsets { get; }

    /// <summary>The next index; false when distinct ones have run out.</summary>
    public bool TryNext(out long index)
    {
        if (!_isDistinct && _bound > 0)
        {
            index = ElementScratch.Current.Random.NextInt64(_bound);
            if (_shuffled != null)
            {
                index = _shuffled[index];
            }

            return true;
        }

        if (_given >= _bound)
        {
            index = -1;
            return false;
        }

        int given = (int)_given;
        _given++;
        if (_shuffled == null)
        {
            index = _order.At(_given - 1);
            return true;
        }

        // Fisher and Yates, as far as it is asked for.
        int pick = ElementScratch.Current.Random.Next(given, (int)_bound);
        (_shuffled[given], _shuffled[pick]) = (_shuffled[pick], _shuffled[given]);
        index = _shuffled[given];
        return true;
    }
}
