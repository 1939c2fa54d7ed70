// The bucket latches that the session inside a slot holds until its command ends, in ascending order. Used by the session's thread.
namespace Garnet.Store.Index;

/// <summary>
/// All latches of a command are acquired together in ascending order of bucket numbers, so that sessions cannot deadlock. A held bucket
/// cannot be split or merged, so its number remains valid.
/// </summary>
internal sealed class HeldLatches(HashIndex index, IndexGrowth growth)
{
    // Above this number of keys the index is kept from splitting and merging meanwhile: otherwise it would repeatedly split one of the
    // buckets, and all latches would have to be acquired again each time.
    private const int ManyKeys = 256;
    private const int PrefetchedAhead = 8;
    private long[] _buckets = new long[16];
    private long[] _wanted = [];

    /// <summary>Number of latches held.</summary>
    public int Count { get; private set; }

    /// <summary>Latches the bucket of one hash if no latch is held yet; otherwise it must be held already.</summary>
    public long Acquire(ulong salted)
    {
        if (Count == 0)
        {
            long latched = index.Latch(salted);
            _buckets[0] = latched;
            Count = 1;
            return latched;
        }

        long bucket = index.Locate(salted);
        if (!Holds(bucket))
        {
            throw new InvalidOperationException(
                "A command accessed a key it has not latched: latch all its keys first, or run exclusively."
            );
        }

        return bucket;
    }

    /// <summary>Latches the buckets of several keys.</summary>
    public void AcquireAll(ReadOnlySpan<KeyReference> keys, DatabaseMap databases)
    {
        if (Count != 0)
        {
            throw new InvalidOperationException("Several keys can only be latched while no latch is held.");
        }

        if (_buckets.Length < keys.Length)
        {
            _buckets = new long[Math.Max(keys.Length, _buckets.Length * 2)];
        }

        if (_wanted.Length < keys.Length)
        {
            _wanted = new long[Math.Max(keys.Length, 16)];
        }

        bool holdsGrowth = keys.Length > ManyKeys;
        if (holdsGrowth)
        {
            growth.MakeRoom(keys.Length);
            growth.Hold();
        }

        try
        {
            while (!TryAcquireAll(keys, databases))
            {
                // The index split or merged one of the buckets between look-up and latch. The arrays are still needed.
                Release();
            }
        }
        finally
        {
            if (holdsGrowth)
            {
                growth.LetGo();
            }
        }
    }

    /// <summary>True when this session holds the bucket's latch.</summary>
    public bool Holds(long bucket)
    {
        if (Count <= 4)
        {
            for (int i = 0; i < Count; i++)
            {
                if (_buckets[i] == bucket)
                {
                    return true;
                }
            }

            return false;
        }

        return Count <= ManyKeys ? _buckets.AsSpan(0, Count).BinarySearch(bucket) >= 0 : HoldsAmongMany(bucket);
    }

    // Keys are evenly distributed over buckets, so a bucket's index in the array can be estimated: among hundreds of thousands only a few
    // neighbours are examined.
    private bool HoldsAmongMany(long bucket)
    {
        ReadOnlySpan<long> held = _buckets.AsSpan(0, Count);
        (long first, long last) = (held[0], held[^1]);
        if (bucket < first || bucket > last)
        {
            return false;
        }

        int guess = last == first ? 0 : (int)((bucket - first) * (double)(held.Length - 1) / (last - first));
        int step = 16;
        (int from, int to) = (guess, guess);
        while (from > 0 && held[from] > bucket)
        {
            from = Math.Max(0, from - step);
            step *= 2;
        }

        step = 16;
        while (to < held.Length - 1 && held[to] < bucket)
        {
            to = Math.Min(held.Length - 1, to + step);
            step *= 2;
        }

        return held[from..(to + 1)].BinarySearch(bucket) >= 0;
    }

    /// <summary>Releases everything.</summary>
    public void ReleaseAll()
    {
        Release();
        if (_buckets.Length > 4096)
        {
            _buckets = new long[16];
            _wanted = [];
        }
    }

    private void Release()
    {
        for (int i = 0; i < Count; i++)
        {
            index.Release(_buckets[i]);
        }

        Count = 0;
    }

    private unsafe bool TryAcquireAll(ReadOnlySpan<KeyReference> keys, DatabaseMap databases)
    {
        Span<long> wanted = _wanted.AsSpan(0, keys.Length);
        for (int i = 0; i < keys.Length; i++)
        {
            wanted[i] = index.Locate(SaltOf(keys[i], databases));
        }

        Span<long> sorted = _buckets.AsSpan(0, keys.Length);
        wanted.CopyTo(sorted);
        sorted.Sort();
        for (int i = 0; i < sorted.Length; i++)
        {
            // Equal buckets are latched once; the held ones are compacted at the front.
            if (Count == 0 || sorted[i] != _buckets[Count - 1])
            {
                long bucket = sorted[i];
                index.LatchBucket(bucket);
                _buckets[Count++] = bucket;
            }
        }

        for (int i = 0; i < keys.Length; i++)
        {
            if (i + PrefetchedAhead < keys.Length)
            {
                index.PrefetchBucket(wanted[i + PrefetchedAhead]);
            }

            if (!BucketWord.Owns(*HashIndex.Word(index.Bucket(wanted[i])), SaltOf(keys[i], databases), wanted[i]))
            {
                return false;
            }
        }

        return true;
    }

    private static ulong SaltOf(KeyReference key, DatabaseMap databases) => databases.Salt(key.Hash, databases.PhysicalOf(key.Database));
}
