// Maps watched keys to their watchers. A key's watches change only under the latch of its bucket or under the barrier; segments have short
// locks of their own.
using Garnet.Store.Changes;
using Garnet.Store.Index;

namespace Garnet.Store.Watching;

/// <summary>
/// The table behind the buckets' observer bits: writers look here only when the bit of their bucket is set. It is split by the same low
/// bits of the salted hash that choose a bucket, so whether another key of a bucket is watched is found in that bucket's segment alone, and
/// each operation costs the same however many keys other clients watch. An observer bit without a watched key (after a split, a flush or a
/// swap) is cleared by the first writer that finds nothing.
/// </summary>
internal sealed unsafe class WatchTable(HybridLogStore store)
{
    public const int SegmentBits = 10;
    private const int Segments = 1 << SegmentBits;
    private readonly WatchSegment?[] _segments = new WatchSegment?[Segments];
    private readonly DatabaseWatches[] _databases =
    [
        .. Enumerable.Range(0, store.DatabaseMap.Databases).Select(static _ => new DatabaseWatches()),
    ];

    private long _transactionKeys;

    /// <summary>
    /// Number of different keys with a watcher that has no observer. A watcher that was touched keeps its other keys until it is reset.
    /// </summary>
    public long TransactionKeys => Volatile.Read(ref _transactionKeys);

    /// <summary>Adds a watch unless the watcher already has one of this key; the caller has latched the bucket of the salted
    /// hash.</summary>
    public void Add(
        ulong salted,
        int database,
        ReadOnlySpan<byte> key,
        byte[]? immutableKey,
        ulong hash,
        KeyWatcher watcher,
        bool wasExpired,
        long bucket
    )
    {
        WatchSegment segment = SegmentOf(salted);
        lock (segment.Gate)
        {
            WatchedKey? entry = segment.Find(salted, database, key);
            if (entry == null)
            {
                entry = new WatchedKey(database, immutableKey ?? key.ToArray(), hash, salted);
                segment.Add(entry);
                _databases[database].Add(entry);
            }
            else if (watcher.HasWatchOf(entry))
            {
                return;
            }

            var watch = new Watch(watcher, entry, wasExpired);
            Link(watch);
            watcher.Add(watch);
        }

        *HashIndex.Word(store.Index.Bucket(bucket)) |= BucketWord.Observed;
    }

    /// <summary>Removes a watch; the caller has latched the bucket of its key.</summary>
    public void Remove(Watch watch, long bucket)
    {
        if (!watch.IsLinked)
            return;
        WatchedKey entry = watch.Key;
        WatchSegment segment = SegmentOf(entry.Salted);
        lock (segment.Gate)
        {
            Unlink(watch);
            if (entry.First != null)
                return;
            RemoveEntry(segment, entry);
        }

        ClearUnlessWatched(bucket);
    }

    /// <summary>
    /// Notifies the watchers of a key that it changed, including their observers unless elements were only removed; the caller has latched
    /// the bucket (or the barrier is up). A watcher without an observer needs no further notification, so its watch ends here. A watcher
    /// that started when the key had already expired is not touched by its removal, whatever removes it.
    /// </summary>
    public void Touch(KeyChangeKind kind, ulong salted, long bucket, int database, ReadOnlySpan<byte> key)
    {
        WatchSegment? segment = _segments[salted % Segments];
        if (segment != null)
        {
            lock (segment.Gate)
            {
                WatchedKey? entry = segment.Find(salted, database, key);
                if (entry != null)
                {
                    TouchAll(entry, kind);
                    if (entry.First != null)
                        return;
                    RemoveEntry(segment, entry);
                }
            }
        }

        ClearUnlessWatched(bucket);
    }

    /// <summary>
    /// Under the barrier: a database is about to be emptied (<paramref name="replacement"/> -1) or replaced by another. Touches the
    /// watchers whose keys change as a result.
    /// </summary>
    public void TouchDatabase(StoreSession session, int database, int replacement)
    {
        for (WatchedKey? entry = _databases[database].First; entry != null; entry = entry.NextInDatabase)
        {
            bool existed = session.PeekExclusive(database, entry.Key, entry.Hash, out _);
            bool isReplacementExpired = false;
            bool exists = replacement >= 0 && session.PeekExclusive(replacement, entry.Key, entry.Hash, out isReplacementExpired);
            for (Watch? watch = existed || exists ? entry.First : null; watch != null; watch = watch.Next)
                TouchReplaced(watch, existed, exists, isReplacementExpired);
        }
    }

    /// <summary>
    /// Under the barrier, after a logical database was assigned another physical one: moves its watched keys to their new hashes.
    /// </summary>
    public void Rekey(int database)
    {
        int physical = store.DatabaseMap.PhysicalOf(database);
        for (WatchedKey? entry = _databases[database].First; entry != null; entry = entry.NextInDatabase)
        {
            SegmentOf(entry.Salted).Remove(entry);
            entry.Salted = store.DatabaseMap.Salt(entry.Hash, physical);
            SegmentOf(entry.Salted).Add(entry);
            *HashIndex.Word(store.Index.Bucket(store.Index.Locate(entry.Salted))) |= BucketWord.Observed;
        }
    }

    private void Link(Watch watch)
    {
        int before = watch.Key.TransactionWatches;
        watch.Link();
        if (before == 0 && watch.Key.TransactionWatches != 0)
            Interlocked.Increment(ref _transactionKeys);
    }

    private void Unlink(Watch watch)
    {
        int before = watch.Key.TransactionWatches;
        watch.Unlink();
        if (before != 0 && watch.Key.TransactionWatches == 0)
            Interlocked.Decrement(ref _transactionKeys);
    }

    private void TouchAll(WatchedKey entry, KeyChangeKind kind)
    {
        for (Watch? watch = entry.First; watch != null; watch = watch.Next)
        {
            if (watch.WasExpired && kind.IsRemoval())
            {
                watch.WasExpired = false;
                continue;
            }

            watch.Watcher.Touch(kind);
            if (watch.Watcher.IsDecided)
                Unlink(watch);
        }
    }

    private static void TouchReplaced(Watch watch, bool existed, bool exists, bool isReplacementExpired)
    {
        if (watch.WasExpired)
        {
            if (!exists)
            {
                // The expired key is gone, which is no change to its watcher.
                watch.WasExpired = false;
                return;
            }

            if (isReplacementExpired)
                return;
        }
        else if (!existed && isReplacementExpired)
        {
            watch.WasExpired = true;
            return;
        }

        watch.Watcher.Touch(KeyChangeKind.Modified);
    }

    private WatchSegment SegmentOf(ulong salted)
    {
        ref WatchSegment? place = ref _segments[salted % Segments];
        return Volatile.Read(ref place) ?? Interlocked.CompareExchange(ref place, new WatchSegment(), null) ?? place;
    }

    private void RemoveEntry(WatchSegment segment, WatchedKey entry)
    {
        segment.Remove(entry);
        _databases[entry.Database].Remove(entry);
    }

    private void ClearUnlessWatched(long bucket)
    {
        long* word = HashIndex.Word(store.Index.Bucket(bucket));
        if (!HasKeyOf(bucket, BucketWord.Depth(*word)))
            *word &= ~BucketWord.Observed;
    }

    // The segments of a shallow bucket hold only its own keys; a deep bucket shares its segment with others, whose latches may be held by
    // other threads.
    private bool HasKeyOf(long bucket, int depth)
    {
        if (depth > SegmentBits)
        {
            WatchSegment? segment = _segments[bucket % Segments];
            if (segment == null || segment.Count == 0)
                return false;
            lock (segment.Gate)
                return segment.HasKeyOf(bucket, depth);
        }

        for (long number = bucket; number < Segments; number += 1L << depth)
        {
            if (_segments[number] is { Count: > 0 })
                return true;
        }

        return false;
    }
}
