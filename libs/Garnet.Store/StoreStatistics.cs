// Counters of a store; each is a sum over per-thread cells, so a reader sees a recent value, not a snapshot.
namespace Garnet.Store;

/// <summary>What the store has done and holds.</summary>
public sealed class StoreStatistics
{
    private readonly HybridLogStore _store;

    internal StoreStatistics(HybridLogStore store) => _store = store;

    /// <summary>Keys removed because they expired.</summary>
    public long ExpiredKeys => Sum(static slot => slot.Expired);

    /// <summary>Fields of hashes removed because they expired.</summary>
    public long ExpiredFields => Sum(static slot => slot.ExpiredFields);

    /// <summary>Changes of keys that commands made since the store was built; a removed database counts each of its keys.</summary>
    public long Changes => Sum(static slot => slot.Changes);

    /// <summary>Bytes taken from the system for log pages, index, blocks, nodes of trees and tables.</summary>
    public long AllocatedBytes => _store.Budget.AllocatedBytes;

    /// <summary>Keys removed to make room.</summary>
    public long EvictedKeys => Sum(static slot => slot.Evicted);

    /// <summary>Milliseconds, in all, in which there was no room and eviction had not made enough.</summary>
    public long EvictionExceededMs => _store.Budget.ExceededMs;

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
