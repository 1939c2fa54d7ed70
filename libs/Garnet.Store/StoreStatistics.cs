// Counters of a store; each is a sum over per-thread cells, so a reader sees a recent value, not a snapshot.
using Garnet.Store.Epochs;

namespace Garnet.Store;

/// <summary>What the store has done and holds.</summary>
public sealed class StoreStatistics
{
    private readonly HybridLogStore _store;
    private long _freedTreesBefore;
    private long _expiredBefore;
    private long _expiredFieldsBefore;
    private long _evictedBefore;
    private long _exceededBeforeMs;

    internal StoreStatistics(HybridLogStore store) => _store = store;

    /// <summary>Keys removed because they expired.</summary>
    public long ExpiredKeys => Sum(static slot => slot.Expired) - Volatile.Read(ref _expiredBefore);

    /// <summary>Fields of hashes removed because they expired.</summary>
    public long ExpiredFields => Sum(static slot => slot.ExpiredFields) - Volatile.Read(ref _expiredFieldsBefore);

    /// <summary>About which share of the keys with an expiry was past it when active expiry lately visited them: 0 to 1.</summary>
    public double StaleKeyShare => _store.Maintenance.Expiry.StaleShare;

    /// <summary>
    /// About which share of the hashes with fields that expire had some past their expiry when they were lately visited: 0 to 1.
    /// </summary>
    public double StaleHashShare => _store.Maintenance.Expiry.StaleHashShare;

    /// <summary>How often active expiry ended by its bound, with more due.</summary>
    public long CappedExpiryRuns => _store.Maintenance.Expiry.CappedRuns;

    /// <summary>What active expiry took, in milliseconds.</summary>
    public long ExpiryMs => _store.Maintenance.Expiry.SpentMs;

    /// <summary>Changes of keys that commands made since the store was built; a removed database counts each of its keys.</summary>
    public long Changes => Sum(static slot => slot.Changes);

    /// <summary>Bytes taken from the system for log pages, index, blocks, nodes of trees and tables.</summary>
    public long AllocatedBytes => _store.Budget.AllocatedBytes;

    /// <summary>Keys removed to make room.</summary>
    public long EvictedKeys => Sum(static slot => slot.Evicted) - Volatile.Read(ref _evictedBefore);

    /// <summary>Milliseconds, in all, in which there was no room and eviction had not made enough.</summary>
    public long EvictionExceededMs => Math.Max(0, _store.Budget.ExceededMs - Volatile.Read(ref _exceededBeforeMs));

    /// <summary>Milliseconds since there is no room; 0 while there is.</summary>
    public long EvictionExceedingMs => _store.Budget.ExceedingMs;

    /// <summary>Bytes of <see cref="AllocatedBytes"/> that are in use: without dead records and what is kept for reuse.</summary>
    public long LiveBytes => _store.Budget.LiveBytes;

    /// <summary>Bytes of the limit that are left to the store; 0 without one.</summary>
    public long LimitBytes => _store.Budget.LimitBytes;

    /// <summary>Bytes of the log's pages and tables.</summary>
    public long LogBytes => _store.Log.Bytes;

    /// <summary>Bytes of live records, with headers and slack.</summary>
    public long LiveRecordBytes => Sum(static slot => slot.LiveUnits) * 8;

    /// <summary>Bytes of records that are dead and not yet reused.</summary>
    public long DeadRecordBytes => Sum(static slot => slot.DeadUnits) * 8;

    /// <summary>Bytes of the index.</summary>
    public long IndexBytes => _store.Index.Bytes;

    /// <summary>Bytes of blocks of large values.</summary>
    public long BlockBytes => _store.Blocks.Bytes;

    /// <summary>Bytes of the nodes of large collections.</summary>
    public long TreeBytes => _store.Trees.Bytes;

    /// <summary>Bytes of <see cref="BlockBytes"/> that are in use.</summary>
    public long LiveBlockBytes => _store.Blocks.UsedBytes;

    /// <summary>Bytes of <see cref="TreeBytes"/> that are in use.</summary>
    public long LiveTreeBytes => _store.Trees.LiveBytes;

    /// <summary>Bytes of nodes that only pictures of large collections reach, as a snapshot takes them.</summary>
    public long RetiredTreeBytes => _store.Trees.RetiredBytes;

    /// <summary>Large collections that were removed and whose memory is still to be freed.</summary>
    public long DroppedTrees => _store.Trees.Reclaimer.DroppedTrees;

    /// <summary>Large collections whose memory was freed behind the command that removed them.</summary>
    public long FreedTrees => _store.Trees.Reclaimer.FreedTrees - Volatile.Read(ref _freedTreesBefore);

    /// <summary>Counts what expires and is evicted from zero again.</summary>
    public void Reset()
    {
        Volatile.Write(ref _expiredBefore, Sum(static slot => slot.Expired));
        Volatile.Write(ref _expiredFieldsBefore, Sum(static slot => slot.ExpiredFields));
        Volatile.Write(ref _evictedBefore, Sum(static slot => slot.Evicted));
        Volatile.Write(ref _exceededBeforeMs, _store.Budget.ExceededMs);
        Volatile.Write(ref _freedTreesBefore, _store.Trees.Reclaimer.FreedTrees);
        _store.Maintenance.Expiry.ResetCounts();
    }

    private long Sum(Func<EpochSlot, long> counter)
    {
        long sum = 0;
        foreach (EpochSlot slot in _store.Epochs.Slots)
        {
            sum += counter(slot);
        }

        return Math.Max(0, sum);
    }
}
