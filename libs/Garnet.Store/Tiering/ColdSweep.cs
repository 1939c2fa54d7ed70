// Moves values to disk at once, whether or not memory is full. Used by one thread, which is not in a batch.
using Garnet.Store.Index;
using Garnet.Store.Maintenance;
using Garnet.Store.Records;

namespace Garnet.Store.Tiering;

/// <summary>
/// What pressure on memory does over time, for tests and for whoever looks for an error. Not under the barrier: a value that was copied
/// becomes a stub an epoch later, and whoever holds the barrier keeps the epoch from ending. So other clients go on meanwhile, and a value
/// that they use stays. It ends, since each bucket of the index is visited once, and what others move later is not waited for.
/// </summary>
/// <param name="store">A store with a tier.</param>
/// <param name="stop">Ends it early.</param>
internal sealed unsafe class ColdSweep(HybridLogStore store, CancellationToken stop = default) : IDisposable
{
    // How often a value is offered that cannot leave because all buffers are on their way.
    private const int MaxTries = 8;
    private readonly ColdTier _tier = store.Tier!;
    private readonly StoreSession _session = store.OpenSession();

    /// <summary>Moves all values that may leave, in all databases; returns how many keys have become cold meanwhile.</summary>
    public long MoveAll()
    {
        long before = _tier.Statistics.MovedOut;
        ulong cursor = 0;
        do
        {
            // Counted with its bits reversed, so that it stays valid when the index grows, as in KeyIteration.
            cursor |= ~((1UL << Offer(cursor, key: null, physical: 0)) - 1);
            cursor = KeyIteration.Reverse(KeyIteration.Reverse(cursor) + 1);
        } while (cursor != 0 && !stop.IsCancellationRequested);
        Settle();
        return _tier.Statistics.MovedOut - before;
    }

    /// <summary>As <see cref="MoveAll"/>, for some keys.</summary>
    /// <param name="database">Their logical database.</param>
    /// <param name="keys">The keys; those that do not exist are skipped.</param>
    public long Move(int database, IEnumerable<byte[]> keys)
    {
        long before = _tier.Statistics.MovedOut;
        DatabaseMap map = store.Databases.Map;
        foreach (byte[] key in keys)
        {
            int physical = map.PhysicalOf(database);
            Offer(map.Salt(_session.Hash(key), physical), key, physical);
        }

        Settle();
        return _tier.Statistics.MovedOut - before;
    }

    /// <inheritdoc/>
    public void Dispose() => _session.Dispose();

    // Offers the value of a key or, where none is given, of all keys in the bucket of a hash. Returns the bucket's depth.
    private int Offer(ulong hash, byte[]? key, int physical)
    {
        for (int tries = 1; ; tries++)
        {
            _session.EnterBatch();
            bool isDone = TryOffer(hash, key, physical, out int depth);
            _session.LeaveBatch();
            if (isDone || tries == MaxTries || stop.IsCancellationRequested)
                return depth;
            Settle();
        }
    }

    private bool TryOffer(ulong hash, byte[]? key, int physical, out int depth)
    {
        using var latch = new BriefLatch(_session, hash);
        byte* bucket = store.Index.Bucket(latch.Bucket);
        depth = BucketWord.Depth(*BucketLayout.Word(bucket));
        if (key is null)
            return TryOfferAll(bucket);
        return _session.Reads.Find(latch.Bucket, hash, physical, key, out long* entry) == null || TryOffer(entry);
    }

    private bool TryOfferAll(byte* bucket)
    {
        while (true)
        {
            for (int i = 0; i < BucketLayout.Entries; i++)
            {
                long* entry = (long*)bucket + i;
                if (*entry != 0 && !TryOffer(entry))
                    return false;
            }

            uint next = BucketWord.Overflow(*BucketLayout.Word(bucket));
            if (next == 0)
                return true;
            bucket = store.Index.OverflowBucket(next);
        }
    }

    // False when it could leave later.
    private bool TryOffer(long* entry)
    {
        byte* record = store.Log.Resolve(IndexEntry.AddressOf(*entry));
        ulong header = *(ulong*)record;
        bool mayLeave =
            !IndexEntry.IsCold(*entry)
            && ColdRecord.MayLeave(record, header, _tier.Options)
            && store.Databases.Map.LogicalOf(RecordHeader.Physical(header)) >= 0;
        if (!mayLeave || !_tier.IsTaking)
            return true;
        _tier.TryLeave(entry, record, header, PageWalk.HashOf(store, record, header));
        return IndexEntry.IsCold(*entry);
    }

    // Until what is on its way now has arrived. Buffers are published in their order: once as many have been as there are, those that were
    // filled before are among them.
    private void Settle()
    {
        (WriteBuffer? Buffer, int Moves) seen = default;
        SpinWait wait = default;
        for (int left = _tier.Options.Buffers + 1; left > 0 && _tier.IsMoving && !stop.IsCancellationRequested; )
        {
            _tier.Mover.Run(publishes: true);
            (WriteBuffer? Buffer, int Moves) now = _tier.Progress;
            if (now == seen)
            {
                wait.SpinOnce();
                continue;
            }

            left -= now.Buffer != seen.Buffer || now.Moves < seen.Moves ? 1 : 0;
            seen = now;
            wait.Reset();
        }
    }
}
