// Maps watched keys to their watchers. A key's watches change only under the latch of its bucket or under the barrier; segments have short
// locks of their own.
using Garnet.Store.Changes;
using Garnet.Store.Index;
using Garnet.Store.Records;

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
        .. Enumerable.Range(0, store.Databases.Map.Databases).Select(static _ => new DatabaseWatches()),
    ];

    private long _transactionKeys;

    /// <summary>
    /// Number of different keys with a watcher that has no observer. A watcher that was touched keeps its other keys until it is reset.
    /// </summary>
    public long TransactionKeys => Volatile.Read(ref _transactionKeys);

    /// <summary>
    /// From now on any change of the key touches the watcher. A key that has already expired may be removed without touching it, as in
    /// Valkey. The session is in a batch.
    /// </summary>
    public void Watch(StoreSession session, int database, ReadOnlySpan<byte> key, ulong hash, KeyWatcher watcher) =>
        Watch(session, database, key, null, hash, watcher);

    /// <summary>Like the other overload, but keeps the given array instead of a copy; it must not be changed afterwards.</summary>
    public void Watch(StoreSession session, int database, byte[] key, ulong hash, KeyWatcher watcher) =>
        Watch(session, database, key, key, hash, watcher);

    private void Watch(StoreSession session, int database, ReadOnlySpan<byte> key, byte[]? immutableKey, ulong hash, KeyWatcher watcher)
    {
        ArgumentNullException.ThrowIfNull(watcher);
        if (watcher.IsDecided)
            return;

        int physical = store.Databases.Map.PhysicalOf(database);
        ulong salted = store.Databases.Map.Salt(hash, physical);
        using var latch = new BriefLatch(session, salted);
        byte* record = session.Reads.Find(latch.Bucket, salted, physical, key, out _);
        bool wasExpired = false;
        if (record != null)
        {
            long expires = RecordHeader.ExpiresAt(record, *(ulong*)record);
            wasExpired = session.Expiry.IsPast(expires);
            if (expires >= 0 && !wasExpired)
                watcher.ScheduleExpiry(store, expires);
        }

        Add(salted, database, key, immutableKey, hash, watcher, wasExpired, latch.Bucket);
    }

    /// <summary>Ends all watches of a watcher and clears it. The session is in a batch.</summary>
    public void Unwatch(StoreSession session, KeyWatcher watcher)
    {
        ArgumentNullException.ThrowIfNull(watcher);
        foreach (Watch watch in watcher.Watches)
        {
            using var latch = new BriefLatch(session, watch.Key.Salted);
            Remove(watch, latch.Bucket);
        }

        watcher.Reset();
    }

    // Adds a watch unless the watcher already has one of this key; the bucket of the salted hash is latched.
    private void Add(
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
            if (entry is null)
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

        *BucketLayout.Word(store.Index.Bucket(bucket)) |= BucketWord.Observed;
    }

    // Removes a watch; the bucket of its key is latched.
    private void Remove(Watch watch, long bucket)
    {
        if (!watch.IsLinked)
            return;
        WatchedKey entry = watch.Key;
        WatchSegment segment = SegmentOf(entry.Salted);
        lock (segment.Gate)
        {
            Unlink(watch);
            if (entry.First is not null)
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
        if (segment is not null)
        {
            lock (segment.Gate)
            {
                WatchedKey? entry = segment.Find(salted, database, key);
                if (entry is not null)
                {
                    TouchAll(entry, kind);
                    if (entry.First is not null)
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
        for (WatchedKey? entry = _databases[database].First; entry is not null; entry = entry.NextInDatabase)
        {
            bool existed = Peek(session, database, entry.Key, entry.Hash, out _);
            bool isReplacementExpired = false;
            bool exists = replacement >= 0 && Peek(session, replacement, entry.Key, entry.Hash, out isReplacementExpired);
            for (Watch? watch = existed || exists ? entry.First : null; watch is not null; watch = watch.Next)
                TouchReplaced(watch, existed, exists, isReplacementExpired);
        }
    }

    // Whether a record exists, expired or not.
    private bool Peek(StoreSession session, int database, ReadOnlySpan<byte> key, ulong hash, out bool isExpired)
    {
        int physical = store.Databases.Map.PhysicalOf(database);
        ulong salted = store.Databases.Map.Salt(hash, physical);
        byte* record = session.Reads.Find(store.Index.Locate(salted), salted, physical, key, out _);
        isExpired = record != null && session.Expiry.IsPast(RecordHeader.ExpiresAt(record, *(ulong*)record));
        return record != null;
    }

    /// <summary>
    /// Under the barrier, after a logical database was assigned another physical one: moves its watched keys to their new hashes.
    /// </summary>
    public void Rekey(int database)
    {
        int physical = store.Databases.Map.PhysicalOf(database);
        for (WatchedKey? entry = _databases[database].First; entry is not null; entry = entry.NextInDatabase)
        {
            SegmentOf(entry.Salted).Remove(entry);
            entry.Salted = store.Databases.Map.Salt(entry.Hash, physical);
            SegmentOf(entry.Salted).Add(entry);
            *BucketLayout.Word(store.Index.Bucket(store.Index.Locate(entry.Salted))) |= BucketWord.Observed;
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
        for (Watch? watch = entry.First; watch is not null; watch = watch.Next)
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
        long* word = BucketLayout.Word(store.Index.Bucket(bucket));
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
            if (segment is null || segment.Count == 0)
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
