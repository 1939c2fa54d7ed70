// Counters of a store; each is a sum over per-thread counters, so a reader sees a recent value, not a consistent snapshot.
using Garnet.Store.Epochs;

namespace Garnet.Store;

/// <summary>Counters of the store's contents and activity.</summary>
internal sealed class StoreStatistics
{
    private readonly HybridLogStore _store;
    private long _freedTreesBefore;
    private long _expiredBefore;
    private long _expiredFieldsBefore;
    private long _evictedBefore;
    private long _exceededBeforeMs;

    internal StoreStatistics(HybridLogStore store) => _store = store;

    /// <summary>Number of keys removed because they expired.</summary>
    public long ExpiredKeys => Sum(static slot => slot.Expired) - Volatile.Read(ref _expiredBefore);

    /// <summary>Number of hash fields removed because they expired.</summary>
    public long ExpiredFields => Sum(static slot => slot.ExpiredFields) - Volatile.Read(ref _expiredFieldsBefore);

    /// <summary>Approximate share of keys with an expiry that were past it when active expiry last visited them: 0 to 1.</summary>
    public double StaleKeyShare => _store.Maintenance.Expiry.StaleShare;

    /// <summary>
    /// Approximate share of hashes with expiring fields of which some were past their expiry at the last visit: 0 to 1.
    /// </summary>
    public double StaleHashShare => _store.Maintenance.Expiry.StaleHashShare;

    /// <summary>How often active expiry reached its limit with more work due.</summary>
    public long CappedExpiryRuns => _store.Maintenance.Expiry.CappedRuns;

    /// <summary>Time spent on active expiry, in milliseconds.</summary>
    public long ExpiryMs => _store.Maintenance.Expiry.SpentMs;

    /// <summary>Key changes made by commands since the store was built; flushing a database counts each of its keys.</summary>
    public long Changes => Sum(static slot => slot.Changes);

    /// <summary>Bytes taken from the system for log pages, index, blocks, nodes of trees and tables.</summary>
    public long AllocatedBytes => _store.Budget.AllocatedBytes;

    /// <summary>Number of keys evicted.</summary>
    public long EvictedKeys => Sum(static slot => slot.Evicted) - Volatile.Read(ref _evictedBefore);

    /// <summary>Total milliseconds in which memory was exceeded and eviction had not freed enough.</summary>
    public long EvictionExceededMs => Math.Max(0, _store.Budget.ExceededMs - Volatile.Read(ref _exceededBeforeMs));

    /// <summary>Milliseconds since memory has been exceeded; 0 when it is not.</summary>
    public long EvictionExceedingMs => _store.Budget.ExceedingMs;

    /// <summary>The part of <see cref="AllocatedBytes"/> in use: without dead records and memory kept for reuse.</summary>
    public long LiveBytes => _store.Budget.LiveBytes;

    /// <summary>The part of the limit available to the store; 0 without a limit.</summary>
    public long LimitBytes => _store.Budget.LimitBytes;

    /// <summary>Bytes of the log's pages and tables.</summary>
    public long LogBytes => _store.Log.Bytes;

    /// <summary>Bytes of live records, including headers and slack.</summary>
    public long LiveRecordBytes => Sum(static slot => slot.LiveUnits) * 8;

    /// <summary>Bytes of dead records that have not been reused yet.</summary>
    public long DeadRecordBytes => Sum(static slot => slot.DeadUnits) * 8;

    /// <summary>Bytes of the index.</summary>
    public long IndexBytes => _store.Index.Bytes;

    /// <summary>Bytes of blocks of large values.</summary>
    public long BlockBytes => _store.Blocks.Bytes;

    /// <summary>Bytes of the nodes of large collections.</summary>
    public long TreeBytes => _store.Trees.Bytes;

    /// <summary>The part of <see cref="BlockBytes"/> in use.</summary>
    public long LiveBlockBytes => _store.Blocks.UsedBytes;

    /// <summary>The part of <see cref="TreeBytes"/> in use.</summary>
    public long LiveTreeBytes => _store.Trees.LiveBytes;

    /// <summary>Bytes of nodes that are reachable only from snapshots of large collections.</summary>
    public long RetiredTreeBytes => _store.Trees.RetiredBytes;

    /// <summary>Number of large collections that were removed and whose memory has not been freed yet.</summary>
    public long DroppedTrees => _store.Trees.Reclaimer.DroppedTrees;

    /// <summary>Number of large collections whose memory was freed in the background after their removal.</summary>
    public long FreedTrees => _store.Trees.Reclaimer.FreedTrees - Volatile.Read(ref _freedTreesBefore);

    /// <summary>Resets the counters of expiry and eviction.</summary>
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
            sum += counter(slot);

        return Math.Max(0, sum);
    }
}
