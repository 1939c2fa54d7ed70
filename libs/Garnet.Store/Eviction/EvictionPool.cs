// The best eviction candidates that one thread has sampled and not used yet. Owned by an epoch slot.
namespace Garnet.Store.Eviction;

/// <summary>
/// A short list in ascending order of scores, as in Redis since 3.0: good candidates that were not the best of a sample are kept for the
/// next one, so that a few samples each time approximate the order of all keys. A candidate is an address in the log; whether its key is
/// still there is checked under its latch.
/// </summary>
internal sealed class EvictionPool
{
    private const int Capacity = 16;
    private readonly Candidate[] _candidates = new Candidate[Capacity];
    private int _count;

    /// <summary>An eviction candidate, and the bucket it was found in, for prefetching.</summary>
    public readonly record struct Candidate(long Score, long Address, long Bucket, byte Access);

    /// <summary>Whether the pool has no candidates.</summary>
    public bool IsEmpty => _count == 0;

    /// <summary>Whether a candidate with this score would be kept.</summary>
    public bool Wants(long score) => _count < Capacity || score > _candidates[0].Score;

    /// <summary>Adds a candidate, replacing the worst one when the pool is full.</summary>
    public void Add(in Candidate candidate)
    {
        int place = _count;
        while (place > 0 && _candidates[place - 1].Score > candidate.Score)
            place--;

        for (int i = 0; i < _count; i++)
        {
            if (_candidates[i].Address == candidate.Address)
                return;
        }

        if (_count < Capacity)
        {
            Array.Copy(_candidates, place, _candidates, place + 1, _count - place);
            _candidates[place] = candidate;
            _count++;
        }
        else if (place > 0)
        {
            Array.Copy(_candidates, 1, _candidates, 0, place - 1);
            _candidates[place - 1] = candidate;
        }
    }

    /// <summary>Removes and returns the best candidate.</summary>
    public bool TryTake(out Candidate candidate)
    {
        if (_count == 0)
        {
            candidate = default;
            return false;
        }

        candidate = _candidates[--_count];
        return true;
    }

    /// <summary>Returns the best candidate without removing it.</summary>
    public bool TryPeek(out Candidate candidate)
    {
        candidate = _count == 0 ? default : _candidates[_count - 1];
        return _count != 0;
    }

    /// <summary>Drops all candidates, because they were scored under another policy.</summary>
    public void Clear() => _count = 0;
}
