// The bucket latches that the session inside a slot holds until its command ends, in ascending order. Used by the session's thread.
using System.Numerics;
using System.Runtime.CompilerServices;

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
    private const int FewKeys = 16;
    private const int PrefetchedAhead = 8;
    private const int MarkBits = 64;
    private const int KeptMarks = 4096;
    private long[] _buckets = new long[16];
    private long[] _wanted = [];

    // Very many buckets are marked in a bit map instead of listed: nothing is sorted, and whether one is held shows at once.
    private ulong[] _marks = [];
    private int _marksUsed;

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

    /// <summary>Latches the buckets of several keys; the index is made larger first where so many might be added.</summary>
    public void AcquireAll(ReadOnlySpan<KeyReference> keys, DatabaseMap databases, bool mayAdd)
    {
        if (Count != 0)
            throw new InvalidOperationException("Several keys can only be latched while no latch is held.");

        if (keys.Length > ManyKeys)
        {
            AcquireMany(keys, databases, mayAdd);
            return;
        }

        GrowArrays(keys.Length);
        while (!TryAcquireAll(keys, databases))
        {
            // The index split or merged one of the buckets between look-up and latch.
            Release();
        }
    }

    /// <summary>True when this session holds the bucket's latch.</summary>
    public bool Holds(long bucket)
    {
        if (_marksUsed != 0)
            return bucket < (long)_marksUsed * MarkBits && ((_marks[bucket / MarkBits] >> (int)(bucket % MarkBits)) & 1) != 0;

        if (Count <= 4)
        {
            for (int i = 0; i < Count; i++)
            {
                if (_buckets[i] == bucket)
                    return true;
            }

            return false;
        }

        return _buckets.AsSpan(0, Count).BinarySearch(bucket) >= 0;
    }

    /// <summary>Releases everything.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ReleaseAll()
    {
        if (Count == 1 && _marksUsed == 0)
        {
            index.Release(_buckets[0]);
            Count = 0;
        }
        else if (Count != 0)
        {
            ReleaseMany();
        }
    }

    private void ReleaseMany()
    {
        Release();
        if (_buckets.Length > 4096)
        {
            _buckets = new long[16];
            _wanted = [];
        }

        if (_marks.Length > KeptMarks)
            _marks = [];
    }

    private void Release()
    {
        if (_marksUsed != 0)
        {
            ReleaseMarked();
            return;
        }

        for (int i = 0; i < Count; i++)
            index.Release(_buckets[i]);

        Count = 0;
    }

    private void AcquireMany(ReadOnlySpan<KeyReference> keys, DatabaseMap databases, bool mayAdd)
    {
        if (mayAdd)
            growth.MakeRoom(keys.Length);

        growth.Hold();
        try
        {
            // A map that is larger than the list would be takes longer to walk than the list to sort.
            bool isMarking = index.Count / MarkBits <= keys.Length;
            if (!isMarking)
                GrowArrays(keys.Length);

            while (!(isMarking ? TryAcquireMarked(keys, databases) : TryAcquireAll(keys, databases)))
                Release();
        }
        finally
        {
            growth.LetGo();
        }
    }

    private void GrowArrays(int keys)
    {
        if (_buckets.Length < keys)
            _buckets = new long[Math.Max(keys, _buckets.Length * 2)];

        if (_wanted.Length < keys)
            _wanted = new long[Math.Max(keys, 16)];
    }

    private unsafe bool TryAcquireMarked(ReadOnlySpan<KeyReference> keys, DatabaseMap databases)
    {
        // A split in progress may add one bucket.
        int words = (int)((index.Count + 1) / MarkBits) + 1;
        if (_marks.Length < words)
            _marks = new ulong[words];

        Span<ulong> marks = _marks.AsSpan(0, words);
        foreach (KeyReference key in keys)
        {
            long bucket = index.Locate(SaltOf(key, databases));
            if (bucket / MarkBits >= words)
            {
                marks.Clear();
                return false;
            }

            marks[(int)(bucket / MarkBits)] |= 1UL << (int)(bucket % MarkBits);
        }

        _marksUsed = words;
        for (int word = 0; word < words; word++)
        {
            for (ulong left = marks[word]; left != 0; left &= left - 1)
            {
                index.LatchBucket(((long)word * MarkBits) + BitOperations.TrailingZeroCount(left));
                Count++;
            }
        }

        for (int i = 0; i < keys.Length; i++)
        {
            if (i + PrefetchedAhead < keys.Length)
                index.Prefetch(SaltOf(keys[i + PrefetchedAhead], databases));

            ulong salted = SaltOf(keys[i], databases);
            long bucket = index.Locate(salted);
            if (!Holds(bucket) || !BucketWord.Owns(*BucketLayout.Word(index.Bucket(bucket)), salted, bucket))
                return false;
        }

        return true;
    }

    private void ReleaseMarked()
    {
        Span<ulong> marks = _marks.AsSpan(0, _marksUsed);
        for (int word = 0; word < marks.Length; word++)
        {
            for (ulong left = marks[word]; left != 0; left &= left - 1)
                index.Release(((long)word * MarkBits) + BitOperations.TrailingZeroCount(left));
        }

        marks.Clear();
        _marksUsed = 0;
        Count = 0;
    }

    private unsafe bool TryAcquireAll(ReadOnlySpan<KeyReference> keys, DatabaseMap databases)
    {
        Span<long> wanted = _wanted.AsSpan(0, keys.Length);
        for (int i = 0; i < keys.Length; i++)
            wanted[i] = index.Locate(SaltOf(keys[i], databases));

        Span<long> sorted = _buckets.AsSpan(0, keys.Length);
        wanted.CopyTo(sorted);
        Sort(sorted);
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
                index.PrefetchBucket(wanted[i + PrefetchedAhead]);

            if (!BucketWord.Owns(*BucketLayout.Word(index.Bucket(wanted[i])), SaltOf(keys[i], databases), wanted[i]))
                return false;
        }

        return true;
    }

    // Few are put in order one by one: a general sort costs more, and is compiled only when it is first used.
    private static void Sort(Span<long> buckets)
    {
        if (buckets.Length > FewKeys)
        {
            buckets.Sort();
            return;
        }

        for (int i = 1; i < buckets.Length; i++)
        {
            long bucket = buckets[i];
            int place = i;
            for (; place > 0 && buckets[place - 1] > bucket; place--)
                buckets[place] = buckets[place - 1];

            buckets[place] = bucket;
        }
    }

    private static ulong SaltOf(KeyReference key, DatabaseMap databases) => databases.Salt(key.Hash, databases.PhysicalOf(key.Database));
}
