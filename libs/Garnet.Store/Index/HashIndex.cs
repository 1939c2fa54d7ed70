// The index: cache-line buckets under linear hashing, one entry per key. Usable from any thread; entries change only under their bucket's
// latch.
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;
using Garnet.Store.Epochs;
using Garnet.Store.Log;
using Garnet.Store.Memory;

namespace Garnet.Store.Index;

/// <summary>
/// Linear hashing (Litwin 1980) over one reserved range: the number of buckets is its entire state. Bucket b of local depth d holds the
/// hashes whose low d bits are b; the depth is stored in the bucket's own word, so a thread that reads or latches a bucket notices a split
/// it missed. An entry is 48 bits of address below the 16 high bits of the hash; 0 is empty. Full buckets continue in overflow buckets,
/// protected by the latch of the first.
/// </summary>
internal sealed unsafe class HashIndex : IDisposable
{
    public const int MaxChain = 64;
    private const int FirstDepth = 6;

    private readonly ReservedRange _buckets = new((long)BucketLayout.Bytes << 30, (long)BucketLayout.Bytes << 16, largePages: true);
    private readonly OverflowBuckets _overflow = new();
    private readonly byte* _bucketBase;
    private readonly byte* _overflowBase;
    private long _touched;

    // Owned by maintenance.
    private long _preparedBytes;
    private PaddedLong _count;

    public HashIndex()
    {
        _bucketBase = _buckets.Base;
        _overflowBase = _overflow.Base;
        _count.Value = 1L << FirstDepth;
        _buckets.Ensure(_count.Value * BucketLayout.Bytes);
        for (long b = 0; b < _count.Value; b++)
            *BucketLayout.Word(Bucket(b)) = BucketWord.WithDepth(0, FirstDepth);
    }

    /// <summary>Number of buckets in use, excluding overflow buckets.</summary>
    public long Count => Volatile.Read(ref _count.Value);

    /// <summary>Number of overflow buckets in use.</summary>
    public long OverflowCount => _overflow.Used;

    /// <summary>Memory of the buckets touched.</summary>
    public long Bytes => Math.Max(TouchedCount * BucketLayout.Bytes, Volatile.Read(ref _preparedBytes)) + _overflow.Bytes;

    /// <summary>Number of buckets backed by memory: those in use and those that merging vacated.</summary>
    public long TouchedCount => Math.Max(Count, Volatile.Read(ref _touched));

    /// <summary>True when the index has its minimum size.</summary>
    public bool IsSmallest => Count == 1L << FirstDepth;

    /// <summary>The bucket that a hash currently belongs to; the bucket's depth tells whether that is still valid.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long Locate(ulong hash)
    {
        long count = Volatile.Read(ref _count.Value);
        ulong half = 1UL << BitOperations.Log2((ulong)count);
        ulong bucket = hash & ((half << 1) - 1);
        return (long)(bucket < (ulong)count ? bucket : bucket & (half - 1));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte* Bucket(long number) => _bucketBase + (number * BucketLayout.Bytes);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte* OverflowBucket(uint number) => _overflowBase + ((long)number * BucketLayout.Bytes);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Prefetch(ulong hash) => PrefetchBucket(Locate(hash));

    /// <summary>Prefetches the bucket with the given number.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void PrefetchBucket(long number) => Prefetch(Bucket(number));

    /// <summary>Prefetches an overflow bucket.</summary>
    public void PrefetchOverflow(uint number) => Prefetch(OverflowBucket(number));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Prefetch(byte* bucket)
    {
        if (Sse.IsSupported)
            Sse.Prefetch0(bucket);
    }

    /// <summary>Latches the bucket of a hash and returns its number.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long Latch(ulong hash)
    {
        int spins = 0;
        while (true)
        {
            long number = Locate(hash);
            long* word = BucketLayout.Word(Bucket(number));
            long seen = Volatile.Read(ref *word);
            if (
                (seen & BucketWord.Latched) == 0
                && BucketWord.Owns(seen, hash, number)
                && Interlocked.CompareExchange(ref *word, seen | BucketWord.Latched, seen) == seen
            )
            {
                return number;
            }

            LatchSpin.Pause(ref spins);
        }
    }

    /// <summary>Latches a bucket by number, regardless of what it holds.</summary>
    public void LatchBucket(long number)
    {
        int spins = 0;
        while (!TryLatchBucket(number))
            LatchSpin.Pause(ref spins);
    }

    /// <summary>Latches a bucket if it is free.</summary>
    public bool TryLatchBucket(long number)
    {
        long* word = BucketLayout.Word(Bucket(number));
        long seen = Volatile.Read(ref *word);
        return (seen & BucketWord.Latched) == 0 && Interlocked.CompareExchange(ref *word, seen | BucketWord.Latched, seen) == seen;
    }

    /// <summary>Releases a latch with one store that also increments the version, so that optimistic readers notice.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Release(long number)
    {
        long* word = BucketLayout.Word(Bucket(number));
        Volatile.Write(ref *word, (*word + BucketWord.OneVersion) & ~BucketWord.Latched);
    }

    /// <summary>Adds an entry to a latched bucket and returns its address.</summary>
    public long* Insert(long number, long entry)
    {
        byte* bucket = Bucket(number);
        long* link = BucketLayout.Word(bucket);
        while (true)
        {
            for (int i = 0; i < BucketLayout.Entries; i++)
            {
                long* place = (long*)bucket + i;
                if (*place == 0)
                {
                    Volatile.Write(ref *place, entry);
                    return place;
                }
            }

            uint next = BucketWord.Overflow(*link);
            if (next == 0)
            {
                next = _overflow.Take();
                *link = BucketWord.WithOverflow(*link, next);
            }

            bucket = OverflowBucket(next);
            link = BucketLayout.Word(bucket);
        }
    }

    /// <summary>The entry of a latched bucket that refers to an address, or null.</summary>
    public long* FindEntry(long number, long address)
    {
        byte* bucket = Bucket(number);
        while (true)
        {
            for (int i = 0; i < BucketLayout.Entries; i++)
            {
                if (IndexEntry.AddressOf(((long*)bucket)[i]) == address)
                    return (long*)bucket + i;
            }

            uint next = BucketWord.Overflow(*BucketLayout.Word(bucket));
            if (next == 0)
                return null;

            bucket = OverflowBucket(next);
        }
    }

    /// <summary>Unlinks empty overflow buckets of a latched bucket.</summary>
    public void TrimOverflow(long number)
    {
        long* link = BucketLayout.Word(Bucket(number));
        uint next;
        while ((next = BucketWord.Overflow(*link)) != 0)
        {
            byte* bucket = OverflowBucket(next);
            if (IsEmpty(bucket))
            {
                *link = BucketWord.WithOverflow(*link, BucketWord.Overflow(*BucketLayout.Word(bucket)));
                _overflow.Free(next);
            }
            else
            {
                link = BucketLayout.Word(bucket);
            }
        }
    }

    /// <summary>Adds one bucket and moves the entries that belong there into it; false when a latch was taken. One caller at a
    /// time.</summary>
    public bool TrySplit<THasher>(ref THasher hasher)
        where THasher : struct, IEntryHasher
    {
        long count = Count;
        int level = BitOperations.Log2((ulong)count);
        long source = count - (1L << level);
        if ((count + 1) * BucketLayout.Bytes > _buckets.ReservedBytes)
        {
            // The address space is exhausted: chains grow instead.
            return false;
        }

        _buckets.Ensure((count + 1) * BucketLayout.Bytes);
        if (!TryLatchBucket(source))
            return false;

        // The new bucket cannot be held for long, as it owns no hash yet.
        LatchBucket(count);
        MoveEntries(source, count, 1UL << level, ref hasher);
        SetDepth(source, level + 1);
        SetDepth(count, level + 1);
        long* target = BucketLayout.Word(Bucket(count));
        *target |= *BucketLayout.Word(Bucket(source)) & BucketWord.Observed;
        Compact(source);
        Volatile.Write(ref _count.Value, count + 1);
        Release(count);
        Release(source);
        return true;
    }

    /// <summary>
    /// Takes the last bucket out of use after moving its entries to the one it was split from; false when a latch was taken. One caller at
    /// a time.
    /// </summary>
    public bool TryMerge()
    {
        long last = Count - 1;
        int level = BitOperations.Log2((ulong)last);
        long target = last - (1L << level);
        if (!TryLatchBucket(target))
            return false;

        if (!TryLatchBucket(last))
        {
            Release(target);
            return false;
        }

        byte* bucket = Bucket(last);
        uint next = BucketWord.Overflow(*BucketLayout.Word(bucket));
        InsertAll(bucket, target);
        while (next != 0)
        {
            byte* overflow = OverflowBucket(next);
            InsertAll(overflow, target);
            next = BucketWord.Overflow(*BucketLayout.Word(overflow));
        }

        TrimOverflow(last);
        SetDepth(last, 0);
        SetDepth(target, level);
        *BucketLayout.Word(Bucket(target)) |= *BucketLayout.Word(bucket) & BucketWord.Observed;
        *BucketLayout.Word(bucket) &= ~BucketWord.Observed;
        Volatile.Write(ref _touched, Math.Max(last + 1, _touched));
        Volatile.Write(ref _count.Value, last);
        Release(last);
        Release(target);
        return true;
    }

    /// <summary>
    /// Backs the next buckets with memory (see <see cref="RecordLog.PreparePages"/>): a quarter of the present size, at most 4 MiB. Called
    /// by maintenance.
    /// </summary>
    public void PrepareGrowth()
    {
        long used = Count * BucketLayout.Bytes;
        _preparedBytes = _buckets.Prepare(used, used, _preparedBytes);
        _overflow.Prepare();
    }

    /// <summary>
    /// Returns memory of overflow buckets that chains no longer need; true when more remains. Called by maintenance, outside of any epoch.
    /// </summary>
    public bool MaintainOverflow(EpochTable epochs, long nowMs) => _overflow.Maintain(epochs, nowMs);

    /// <summary>
    /// Returns the memory of buckets from a number on to the system; none of them may be in use or visible to any thread. Excludes splits.
    /// </summary>
    public void GiveBackFrom(long number)
    {
        long touched = TouchedCount;
        long bytes =
            Math.Max(((touched * BucketLayout.Bytes) + ReservedRange.SystemPageBytes - 1) & -ReservedRange.SystemPageBytes, _preparedBytes)
            - (number * BucketLayout.Bytes);
        if (bytes > 0)
        {
            _buckets.GiveBack(number * BucketLayout.Bytes, bytes);
            Volatile.Write(ref _touched, number);
            _preparedBytes = 0;
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _buckets.Dispose();
        _overflow.Dispose();
    }

    private void MoveEntries<THasher>(long source, long target, ulong bit, ref THasher hasher)
        where THasher : struct, IEntryHasher
    {
        byte* bucket = Bucket(source);
        hasher.Prefetch(bucket);
        while (true)
        {
            for (int i = 0; i < BucketLayout.Entries; i++)
            {
                long* place = (long*)bucket + i;
                if (*place != 0 && (hasher.HashOf(IndexEntry.AddressOf(*place)) & bit) != 0)
                {
                    Insert(target, *place);
                    *place = 0;
                }
            }

            uint next = BucketWord.Overflow(*BucketLayout.Word(bucket));
            if (next == 0)
                return;

            bucket = OverflowBucket(next);
            hasher.Prefetch(bucket);
        }
    }

    // Moves entries from the end of a chain into free slots before it, and frees overflow buckets left empty. No handle can refer to these
    // entries, as the splitting thread holds the latch alone.
    private void Compact(long number)
    {
        byte* bucket = Bucket(number);
        uint next;
        while ((next = BucketWord.Overflow(*BucketLayout.Word(bucket))) != 0)
        {
            bucket = OverflowBucket(next);
            for (int i = 0; i < BucketLayout.Entries; i++)
            {
                long* place = (long*)bucket + i;
                long entry = *place;
                *place = 0;
                if (entry != 0)
                    Insert(number, entry);
            }
        }

        TrimOverflow(number);
    }

    private void InsertAll(byte* from, long target)
    {
        for (int i = 0; i < BucketLayout.Entries; i++)
        {
            long* place = (long*)from + i;
            if (*place != 0)
            {
                Insert(target, *place);
                *place = 0;
            }
        }
    }

    private void SetDepth(long number, int depth)
    {
        long* word = BucketLayout.Word(Bucket(number));
        *word = BucketWord.WithDepth(*word, depth);
    }

    private static bool IsEmpty(byte* bucket)
    {
        long any = 0;
        for (int i = 0; i < BucketLayout.Entries; i++)
            any |= ((long*)bucket)[i];

        return any == 0;
    }
}
