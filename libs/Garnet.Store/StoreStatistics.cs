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
    public long AllocatedBytes => _store.AllocatedBytes();

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
