// The bucket latches the session inside a slot holds until its command ends, in ascending order. Used by the session's thread.
namespace Garnet.Store;

/// <summary>
/// All latches of a command are taken in ascending order of bucket numbers, in one go, so that no two sessions can wait for each other. A held bucket cannot be split
/// or merged, so its number stays right.
/// </summary>
internal sealed class HeldLatches(HashIndex index)
{
    private long[] _buckets = new long[16];
    private long[] _wanted = [];

    /// <summary>Latches held.</summary>
    public int Count { get; private set; }

    /// <summary>Latches the bucket of one hash when nothing is held yet; otherwise it must be held already.</summary>
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
            throw new InvalidOperationException("A command touched a key that is not among those it latched: latch all its keys first, or run alone.");
        }

        return bucket;
    }

    /// <summary>Latches the buckets of several keys.</summary>
    public void AcquireAll(ReadOnlySpan<KeyReference> keys, KeySpaces spaces)
    {
        if (Count != 0)
        {
            throw new InvalidOperationException("Latching several keys must be a command's first latching.");
        }

        if (_buckets.Length < keys.Length)
        {
            _buckets = new long[Math.Max(keys.Length, _buckets.Length * 2)];
        }

        if (_wanted.Length < keys.Length)
        {
            _wanted = new long[Math.Max(keys.Length, 16)];
        }

        while (!TryAcquireAll(keys, spaces))
        {
            // The index split or merged one of the buckets between look-up and latch.
            ReleaseAll();
        }
    }

    /// <summary>True when this session holds a bucket.</summary>
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

        return _buckets.AsSpan(0, Count).BinarySearch(bucket) >= 0;
    }

    /// <summary>Releases everything.</summary>
    public void ReleaseAll()
    {
        for (int i = 0; i < Count; i++)
        {
            index.Release(_buckets[i]);
        }

        Count = 0;
        if (_buckets.Length > 4096)
        {
            _buckets = new long[16];
            _wanted = [];
        }
    }

    private unsafe bool TryAcquireAll(ReadOnlySpan<KeyReference> keys, KeySpaces spaces)
    {
        Span<long> wanted = _wanted.AsSpan(0, keys.Length);
        for (int i = 0; i < keys.Length; i++)
        {
            wanted[i] = index.Locate(SaltOf(keys[i], spaces));
        }

        Span<long> sorted = _buckets.AsSpan(0, keys.Length);
        wanted.CopyTo(sorted);
        sorted.Sort();
        for (int i = 0; i < sorted.Length; i++)
        {
            // Equal buckets are latched once; the held ones move together at the front.
            if (Count == 0 || sorted[i] != _buckets[Count - 1])
            {
                long bucket = sorted[i];
                index.LatchBucket(bucket);
                _buckets[Count++] = bucket;
            }
        }

        for (int i = 0; i < keys.Length; i++)
        {
            if (!BucketWord.Owns(*HashIndex.Word(index.Bucket(wanted[i])), SaltOf(keys[i], spaces), wanted[i]))
            {
                return false;
            }
        }

        return true;
    }

    private static ulong SaltOf(KeyReference key, KeySpaces spaces) => spaces.Salt(key.Hash, spaces.PhysicalOf(key.Database));
}
