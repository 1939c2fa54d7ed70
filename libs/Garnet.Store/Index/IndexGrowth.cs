// Keeps the index as large as its keys need, a few buckets at a time. Any session calls it between commands; one at a time works.
namespace Garnet.Store;

/// <summary>Splits and merges buckets so that there are about five keys a bucket: 13-16 bytes of index a key, overflow included.</summary>
internal sealed class IndexGrowth(HashIndex index, RecordLog log, KeySpaces spaces)
{
    private const long KeysPerBucket = 5;
    private const int MostSplits = 64;

    // Buckets in 256 KiB.
    private const long LeastGivenBack = 4096;
    private PaddedLong _keys;
    private int _isBusy;
    private long _givingBackFrom;
    private long _givingBackTag;

    /// <summary>Keys in the index, but for a few that sessions have not reported yet.</summary>
    public long Keys => Volatile.Read(ref _keys.Value);

    /// <summary>Takes a report without growing; for callers outside of any epoch.</summary>
    public void Note(int added) => Interlocked.Add(ref _keys.Value, added);

    /// <summary>Takes a session's report of keys added since the last one, and does the growth they call for; bounded, never waits.</summary>
    public void Report(int added)
    {
        long keys = Interlocked.Add(ref _keys.Value, added);
        if (keys > index.Count * KeysPerBucket)
        {
            Grow(Math.Min(MostSplits, 8 + (Math.Max(0, added) / 2)));
        }
    }

    /// <summary>Splits up to so many buckets; true when more is due.</summary>
    public bool Grow(int splits)
    {
        if (Interlocked.Exchange(ref _isBusy, 1) != 0)
        {
            return false;
        }

        var hasher = new RecordHasher(log, spaces);
        bool isDue = Keys > index.Count * KeysPerBucket;
        for (; isDue && splits > 0; splits--)
        {
            if (!index.TrySplit(ref hasher))
            {
                break;
            }

            isDue = Keys > index.Count * KeysPerBucket;
        }

        Volatile.Write(ref _isBusy, 0);
        return isDue;
    }

    /// <summary>Merges up to so many buckets when there are far too many; true when more is due. The freed memory stays with the index until it is given back.</summary>
    public bool Shrink(int merges)
    {
        if (Interlocked.Exchange(ref _isBusy, 1) != 0)
        {
            return false;
        }

        bool isDue = IsTooLarge();
        for (; isDue && merges > 0; merges--)
        {
            if (!index.TryMerge())
            {
                break;
            }

            isDue = IsTooLarge();
        }

        Volatile.Write(ref _isBusy, 0);
        return isDue;
    }

    /// <summary>Gives the memory of buckets back that merging left behind, an epoch after nobody can see them any more. Called by maintenance.</summary>
    public void GiveBack(EpochTable epochs)
    {
        if (Interlocked.Exchange(ref _isBusy, 1) != 0)
        {
            return;
        }

        long count = index.Count;
        if (_givingBackFrom != 0 && count > _givingBackFrom)
        {
            // It grew again meanwhile.
            _givingBackFrom = 0;
        }

        if (_givingBackFrom != 0 && epochs.IsPast(_givingBackTag))
        {
            index.GiveBackFrom(_givingBackFrom);
            _givingBackFrom = 0;
        }
        else if (_givingBackFrom == 0 && index.TouchedCount - count > LeastGivenBack)
        {
            _givingBackFrom = (count + LeastGivenBack - 1) / LeastGivenBack * LeastGivenBack;
            _givingBackTag = epochs.Advance();
        }

        Volatile.Write(ref _isBusy, 0);
    }

    // Half the load at which it grows, so that it does not go to and fro.
    private bool IsTooLarge() => !index.IsSmallest && Keys * 2 < (index.Count - 1) * KeysPerBucket;
}
