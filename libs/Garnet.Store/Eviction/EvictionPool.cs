// The best candidates for eviction that one thread has met and not yet taken. Owned by an epoch slot.
namespace Garnet.Store.Eviction;

/// <summary>
/// A short list in ascending order of scores, as in Redis since 3.0: what a look found good but not best is kept for the next one, so that
/// a few samples each time come near to the order of all keys. A candidate is a place in the log; whether its key is still there is found
/// out under its latch.
/// </summary>
internal sealed class EvictionPool
{
    private const int Capacity = 16;
    private readonly Candidate[] _candidates = new Candidate[Capacity];
    private int _count;

    /// <summary>A record that might go, and the bucket it was met in, for fetching it ahead.</summary>
    public readonly record struct Candidate(long Score, long Address, long Bucket, byte Access);

    /// <summary>Whether there is nothing to take.</summary>
    public bool IsEmpty => _count == 0;

    /// <summary>Whether a candidate of such a score would be kept.</summary>
    public bool Wants(long score) => _count < Capacity || score > _candidates[0].Score;

    /// <summary>Keeps a candidate, at the expense of the worst one when there is no room.</summary>
    public void Add(in Candidate candidate)
    {
        int place = _count;
        while (place > 0 && _candidates[place - 1].Score > candidate.Score)
        {
            place--;
        }

        for (int i = 0; i < _count; i++)
        {
            if (_candidates[i].Address == candidate.Address)
            {
                return;
            }
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

    /// <summary>Takes the best candidate.</summary>
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

    /// <summary>The best candidate, which stays.</summary>
    public bool TryPeek(out Candidate candidate)
    {
        candidate = _count == 0 ? default : _candidates[_count - 1];
        return _count != 0;
    }

    /// <summary>Forgets all candidates: they were judged by another policy.</summary>
    public void Clear() => _count = 0;
}
