// Chooses and removes keys to free memory. Passed to the session inside an epoch slot together with the read path; used by its thread,
// which holds no latch.
using System.Diagnostics;
using System.Runtime.CompilerServices;
using Garnet.Store.Collections;
using Garnet.Store.Index;
using Garnet.Store.Log;
using Garnet.Store.Maintenance;
using Garnet.Store.Memory;
using Garnet.Store.Records;
using Garnet.Store.Tiering;

namespace Garnet.Store.Eviction;

/// <summary>
/// Samples random buckets of the index without latches: what it reads may be torn and serves only as a hint. The chosen record is checked
/// again under the latch of its bucket and is evicted only if it has not been used in the meantime. Where few of the keys qualify, a walk
/// over the pages with expiring keys finds candidates instead.
/// </summary>
internal sealed unsafe class KeyEvictor(HybridLogStore store)
{
    private const int MaxBuckets = 48;
    private const int RecordsPerWalk = 4096;

    // With a tier nearly all records may be keys whose values are on disk.
    private const int RecordsPerFullWalk = 16 * 1024;
    private const int BucketsAhead = 8;
    private const int RecordsAhead = 2;
    private const int EvictionsPerLook = 16;
    private const int TurnoverShift = 6;
    private const int MaxSamplesDue = 64;

    // So many in a row are gone already, or can neither be deleted nor moved now.
    private const int MaxCandidates = 64;

    // The header and key of most records fit into this many units.
    private const int UnitsOfMostKeys = 4;

    // The size assumed for any large collection; reading its actual size without a latch is not worthwhile.
    private const long MinTreeBytes = 16 * 1024;
    private readonly HashIndex _index = store.Index;
    private readonly RecordLog _log = store.Log;
    private readonly DatabaseMap _databases = store.Databases.Map;
    private readonly EvictionPool _pool = new();
    private EvictionSettings _settings = EvictionSettings.Default;
    private ulong _random = (store.Budget.EvictionSeed ?? (ulong)Random.Shared.NextInt64()) | 1;
    private readonly ulong[] _ahead = new ulong[BucketsAhead];
    private int _next;
    private long _bucket;
    private uint _overflow;
    private int _samplesDue;

    // Whether keys whose values are on disk are not even looked at: most keys are such keys, and little is freed by them.
    private bool _passesCold;
    private long _page;
    private int _unit;
    private long _turnoverMs = -1;
    private long _evictedScore;
    private long _nowMs;

    /// <summary>
    /// Frees <paramref name="bytes"/> bytes within a bounded time, and <paramref name="more"/> in addition if that takes few evictions, so
    /// that the next commands need not check. The session must be in a batch.
    /// </summary>
    public EvictionOutcome MakeRoom(StoreSession session, long bytes, long more)
    {
        EvictionSettings settings = store.Eviction;
        ColdTier? tier = store.Tier;
        if (settings.Policy == EvictionPolicy.NoEviction && tier is not ({ IsTaking: true } or { IsBehind: true }))
            return EvictionOutcome.Exhausted;

        if (tier is null && store.Holds.Evicted())
            return EvictionOutcome.Done;

        long limitTicks = settings.TimeLimitTicks;
        long start = Stopwatch.GetTimestamp();
        while (true)
        {
            // Before the search: what was on its way may have arrived when it ends.
            bool isBehind = tier is { IsBehind: true };
            long excess = store.Budget.Excess(bytes) + more;
            long freed = 1;
            for (int i = 0; i < EvictionsPerLook && excess > 0 && freed > 0; i++)
            {
                freed = TryEvict(session, settings);
                excess -= freed;
                isBehind |= tier is not null && freed > 0;
            }

            if (store.Budget.Excess(bytes) <= 0)
                return EvictionOutcome.Done;

            // While all buffers are in use, publishing what was written is what leads on.
            if (freed == 0 && !(tier is { IsTaking: true, IsBusy: true } && tier.Publish(session, out _)))
                return isBehind || IsHeldUp || HasCandidates(store) ? EvictionOutcome.Running : EvictionOutcome.Exhausted;

            if (Stopwatch.GetTimestamp() - start > limitTicks)
                return EvictionOutcome.Running;
        }
    }

    /// <summary>Evicts one key; returns the bytes freed, 0 when a bounded search found none.</summary>
    public long TryEvict(StoreSession session, EvictionSettings settings)
    {
        if (!ReferenceEquals(settings, _settings))
        {
            _settings = settings;
            _pool.Clear();
            _turnoverMs = -1;
        }

        // A running snapshot needs space for the old image of the evicted key, and this must not wait.
        if (!store.Snapshots.HasSpace)
            return 0;

        // Nothing is chosen in vain while the disk is behind.
        if (store.Tier is { IsTaking: true, IsBusy: true })
            return 0;

        _nowMs = session.NowMs;
        bool hasWalked = false;
        for (int left = MaxCandidates; left > 0; )
        {
            bool hasFound = Sample();
            if (!hasFound && !hasWalked)
            {
                hasWalked = true;
                hasFound = MayHideCandidates && Walk() > 0;
            }

            while (left-- > 0 && _pool.TryTake(out EvictionPool.Candidate candidate))
            {
                long freed = TryRemove(session, candidate);
                if (freed > 0)
                {
                    PrefetchBest();
                    return freed;
                }
            }

            if (!hasFound)
                return 0;
        }

        return 0;
    }

    // Whether values can leave soon, though none can now: what writes waits for a snapshot's space by itself.
    private bool IsHeldUp => store.Tier is { } tier && (tier.IsBehind || (tier.IsTaking && !store.Snapshots.HasSpace));

    /// <summary>True when at least one key may be evicted.</summary>
    public static bool HasCandidates(HybridLogStore store)
    {
        EvictionSettings settings = store.Eviction;
        for (int database = 0; database < store.Databases.Count && settings.Policy != EvictionPolicy.NoEviction; database++)
        {
            if ((settings.IsVolatile ? store.Databases.ExpiringKeyCount(database) : store.Databases.KeyCount(database)) > 0)
                return true;
        }

        return false;
    }

    /// <summary>
    /// True when a record found elsewhere is a better candidate than those evicted recently, so that it may be evicted without a
    /// comparison. Called under the latch of its bucket.
    /// </summary>
    public static bool IsCold(HybridLogStore store, byte* record, ulong header, long nowMs) =>
        !store.Holds.Evicted()
        && store.Eviction.Policy switch
        {
            EvictionPolicy.AllKeysLru => store.Accesses.IdleMs(RecordHeader.Access(header), nowMs) > store.Budget.TurnoverMs,
            EvictionPolicy.AllKeysLrfu => WeighedScore(store, record, header, nowMs) > store.Budget.EvictedScore,
            _ => false,
        };

    // How long a key with this access byte has been unused, as the policy weighs it.
    private static long IdleMs(HybridLogStore store, EvictionSettings settings, byte access, long nowMs)
    {
        long idle = store.Accesses.IdleMs(access, nowMs);
        return settings.CountsUses ? UseCount.WeighedIdleMs(access, idle) : idle;
    }

    // Samples as many buckets as one eviction needs on average over many; a surplus or deficit of the last sampling is carried over, since
    // a second round in the same command has nothing prefetched. False when there is nothing to choose from.
    private bool Sample()
    {
        for (int i = 0; i < BucketsAhead && _ahead[i] == 0; i++)
            _ahead[i] = NextRandom();
        _passesCold = store.Tier is { IsTaking: true };
        int samples = SampleBuckets();
        if (samples == 0 && _pool.IsEmpty && _passesCold)
        {
            // Nothing is left in memory but keys whose values are on disk.
            _passesCold = false;
            samples = SampleBuckets();
        }

        return samples > 0 || !_pool.IsEmpty;
    }

    private int SampleBuckets()
    {
        // The policy that weighs uses benefits from more samples: a hit ratio of 0.4639 instead of 0.4615 with memory for half the keys and
        // slightly skewed popularity.
        int wanted =
            _settings.IsRandom ? 1
            : _settings.CountsUses ? _settings.Samples * 2
            : _settings.Samples;
        int samples = 0;
        _samplesDue += wanted;
        for (int i = 0; i < MaxBuckets && (_pool.IsEmpty || _samplesDue > (i == 0 ? 0 : wanted)); i++)
        {
            int more = SampleBucket();
            samples += more;
            _samplesDue -= more;
        }

        _samplesDue = Math.Clamp(_samplesDue, -MaxSamplesDue, MaxSamplesDue);
        return samples;
    }

    // A bucket is fetched some steps before it is sampled and its records a few steps before: where most keys are on disk, several buckets
    // are looked at in one go.
    private int SampleBucket()
    {
        byte* bucket = _overflow != 0 ? _index.OverflowBucket(_overflow) : _index.Bucket(_bucket);
        int samples = SampleEntries(bucket);
        _overflow = BucketWord.Overflow(Volatile.Read(ref *BucketLayout.Word(bucket)));
        if (_overflow != 0)
        {
            PrefetchRecords(_index.OverflowBucket(_overflow));
            return samples;
        }

        ulong far = NextRandom();
        _index.Prefetch(far);
        _bucket = _index.Locate(_ahead[_next]);
        _ahead[_next] = far;
        _next = (_next + 1) % BucketsAhead;
        PrefetchRecords(_index.Bucket(_index.Locate(_ahead[(_next + RecordsAhead) % BucketsAhead])));
        return samples;
    }

    private int SampleEntries(byte* bucket)
    {
        int samples = 0;
        int first = _settings.IsRandom ? (int)(NextRandom() % BucketLayout.Entries) : 0;
        for (int i = 0; i < BucketLayout.Entries && (samples == 0 || !_settings.IsRandom); i++)
        {
            long entry = Volatile.Read(ref ((long*)bucket)[(first + i) % BucketLayout.Entries]);
            long address = IndexEntry.AddressOf(entry);
            bool isCold = IndexEntry.IsCold(entry);
            if (address != 0 && !(isCold && _passesCold) && Consider(address, _bucket, isCold))
                samples++;
        }

        return samples;
    }

    // The best remaining candidate is likely to be evicted next.
    private void PrefetchBest()
    {
        if (_pool.TryPeek(out EvictionPool.Candidate best))
        {
            _index.PrefetchBucket(best.Bucket);
            _log.Prefetch(best.Address);
            _log.Prefetch(best.Address + UnitsOfMostKeys);
        }
    }

    private void PrefetchRecords(byte* bucket)
    {
        for (int i = 0; i < BucketLayout.Entries; i++)
        {
            long entry = Volatile.Read(ref ((long*)bucket)[i]);
            if (IndexEntry.AddressOf(entry) != 0 && !(_passesCold && IndexEntry.IsCold(entry)))
                _log.Prefetch(IndexEntry.AddressOf(entry));
        }

        uint next = BucketWord.Overflow(Volatile.Read(ref *BucketLayout.Word(bucket)));
        if (next != 0)
            _index.PrefetchOverflow(next);
    }

    // Whether a sample without candidates means little: few of the keys can be deleted, or few of the values moved.
    private bool MayHideCandidates => store.Tier is { IsTaking: true } || (_settings.IsVolatile && HasCandidates(store));

    // Continues where the last walk ended, over the pages with expiring records or, with a tier, over all; returns the number of candidates
    // seen.
    private int Walk()
    {
        int samples = 0;
        bool walksAll = store.Tier is { IsTaking: true };
        int left = walksAll ? RecordsPerFullWalk : RecordsPerWalk;
        long highPage = _log.HighPage;
        for (long pages = 0; pages <= highPage && left > 0 && samples < _settings.Samples; pages++)
        {
            PageInfo* info = _log.Info(_page);
            if (
                _page > 0
                && _page <= highPage
                && Volatile.Read(ref info->State) != PageInfo.Free
                && (walksAll || Volatile.Read(ref info->WakeAtMs) != long.MaxValue)
            )
            {
                var walk = new PageWalk(store, _page) { NextUnit = _unit };
                while (left-- > 0 && samples < _settings.Samples && walk.MoveNext())
                {
                    long bucket = _index.Locate(PageWalk.HashOf(store, walk.Record, walk.Header));
                    samples += Consider(walk.Address, bucket, ColdRecord.IsStub(walk.Record, walk.Header)) ? 1 : 0;
                }

                if (left <= 0 || samples >= _settings.Samples)
                {
                    _unit = walk.NextUnit;
                    break;
                }
            }

            _page = _page >= highPage ? 1 : _page + 1;
            _unit = 0;
        }

        return samples;
    }

    // Adds a record to the pool if it may be evicted and scores high enough; false when it may not, or when its value is not in memory.
    private bool Consider(long address, long bucket, bool isCold)
    {
        byte* record = _log.Resolve(address);
        ulong header = Volatile.Read(ref *(ulong*)record);
        if (!MayGo(record, header))
            return false;

        // Of a key whose value is on disk little is freed: only if there is nothing else.
        long score =
            IsExpired(record, header) ? long.MaxValue
            : isCold ? long.MinValue
            : ScoreOf(record, header);
        if (_pool.Wants(score))
            _pool.Add(new EvictionPool.Candidate(score, address, bucket, RecordHeader.Access(header)));

        return !isCold;
    }

    // Expired but not yet removed by active expiry: the best candidate, as no client can use it. A replica's primary may change it.
    private bool IsExpired(byte* record, ulong header) =>
        (header & RecordHeader.Expiry) != 0 && RecordHeader.ExpiresAt(record, header) < _nowMs && !store.Holds.Expired();

    private bool MayGo(byte* record, ulong header) =>
        (header & RecordHeader.Dead) == 0
        && header != 0
        && _databases.LogicalOf(RecordHeader.Physical(header)) >= 0
        && (IsDeletable(header) || IsExpired(record, header) || IsMovable(record, header));

    // Whether the policy may delete a key.
    private bool IsDeletable(ulong header) =>
        _settings.Policy != EvictionPolicy.NoEviction && (!_settings.IsVolatile || (header & RecordHeader.Expiry) != 0);

    private bool IsMovable(byte* record, ulong header) =>
        store.Tier is { IsTaking: true } tier && ColdRecord.MayLeave(record, header, tier.Options);

    // The higher, the better a candidate. Times are absolute, or logarithms, so that scores remain comparable.
    private long ScoreOf(byte* record, ulong header) =>
        _settings.Policy switch
        {
            EvictionPolicy.NoEviction or EvictionPolicy.AllKeysLru or EvictionPolicy.VolatileLru => -store.Accesses.MomentOf(
                RecordHeader.Access(header)
            ),
            EvictionPolicy.AllKeysLfu or EvictionPolicy.VolatileLfu => -RecordHeader.Access(header),
            EvictionPolicy.AllKeysLrfu => WeighedScore(store, record, header, _nowMs),
            EvictionPolicy.VolatileTtl when (header & RecordHeader.Expiry) != 0 => -RecordHeader.ExpiresAt(record, header),
            EvictionPolicy.VolatileTtl => -store.Accesses.MomentOf(RecordHeader.Access(header)),
            _ => 0,
        };

    private static long WeighedScore(HybridLogStore store, byte* record, ulong header, long nowMs) =>
        UseCount.Score(
            RecordHeader.Access(header),
            store.Accesses.IdleMs(RecordHeader.Access(header), nowMs),
            BytesOf(store, record, header)
        );

    // Without a latch the block may have been reused or freed; a wrong size merely leads to a worse estimate.
    private static long BytesOf(HybridLogStore store, byte* record, ulong header)
    {
        long bytes = RecordHeader.Units(header) * 8L;
        if ((header & RecordHeader.BlockValue) == 0)
            return CollectionTrees.IsTree(record, header) ? MinTreeBytes : bytes;

        if (RecordHeader.ValueOffset(record, header) + sizeof(nint) > bytes)
            return bytes;

        BlockHeader* block = RecordHeader.ValueBlockOf(record, header);
        return store.Blocks.IsHeader(block) ? bytes + Volatile.Read(ref block->Length) : bytes;
    }

    // Under the latch: evicts the record unless it is gone, has been used since it was chosen, or has moved to another bucket.
    private long TryRemove(StoreSession session, in EvictionPool.Candidate candidate)
    {
        long bucket = candidate.Bucket;
        if (bucket >= _index.Count)
            return 0;

        _index.LatchBucket(bucket);
        try
        {
            return RemoveLatched(session, candidate);
        }
        finally
        {
            _index.Release(bucket);
        }
    }

    private long RemoveLatched(StoreSession session, in EvictionPool.Candidate candidate)
    {
        long bucket = candidate.Bucket;
        long* entry = _index.FindEntry(bucket, candidate.Address);
        if (entry == null)
            return 0;

        byte* record = _log.Resolve(candidate.Address);
        ulong header = *(ulong*)record;
        if (!MayGo(record, header) || RecordHeader.Access(header) != candidate.Access)
            return 0;

        int physical = RecordHeader.Physical(header);
        ulong salted = PageWalk.HashOf(store, record, header);
        if (!IsExpired(record, header) && store.Tier is { } tier)
        {
            long leaving = tier.TryLeave(entry, record, header, salted);
            if (leaving > 0)
                RecordTurnover(session, RecordHeader.Access(header), candidate.Score);
            if (leaving > 0 || !MayDelete(*entry, record, header, tier))
                return leaving;
        }

        var key = new LatchedKey(session, RecordHeader.Key(record, header), salted, _databases.LogicalOf(physical), physical, bucket);
        long freed = Math.Max(1, new RecordContents(store, key.Record, key.Address).MemoryBytes);
        if (IsExpired(record, header))
        {
            key.RemoveIfExpired(session.NowMs);
        }
        else
        {
            RecordTurnover(session, RecordHeader.Access(header), candidate.Score);
            key.Evict();
        }

        return freed;
    }

    // With a disk: what could be moved there in a moment is not deleted, nor what is on its way.
    private bool MayDelete(long entry, byte* record, ulong header, ColdTier tier) =>
        IsDeletable(header)
        && !store.Holds.Evicted()
        && (
            IndexEntry.IsCold(entry)
                ? ColdRecord.IsStub(record, header)
                : !tier.IsTaking || !ColdRecord.MayLeave(record, header, tier.Options)
        );

    private void RecordTurnover(StoreSession session, byte access, long score)
    {
        if (_settings.CountsFrequency)
            return;

        long idle = IdleMs(store, _settings, access, session.NowMs);
        _evictedScore = _turnoverMs < 0 ? score : _evictedScore + ((score - _evictedScore) >> TurnoverShift);
        _turnoverMs = _turnoverMs < 0 ? idle : _turnoverMs + ((idle - _turnoverMs) >> TurnoverShift);
        if (((int)NextRandom() & 31) == 0 || store.Budget.TurnoverMs == long.MaxValue)
        {
            store.Budget.TurnoverMs = _turnoverMs;
            store.Budget.EvictedScore = _evictedScore;
        }
    }

    // Xorshift (Marsaglia 2003): fast, and good enough for choosing buckets.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ulong NextRandom()
    {
        ulong x = _random;
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        return _random = x;
    }
}
