// Counters of a store; each is a sum over per-thread cells, so a reader sees a recent value, not a snapshot.
namespace Garnet.Store;

/// <summary>What the store has done and holds.</summary>
public sealed class StoreStatistics
{
    /// <summary>Keys removed because they expired.</summary>
    public long ExpiredKeys => throw new NotImplementedException();

    /// <summary>Bytes taken from the system for log pages, index, blocks and tables.</summary>
    public long AllocatedBytes => throw new NotImplementedException();

    /// <summary>Bytes of live records, with headers and slack.</summary>
    public long LiveRecordBytes => throw new NotImplementedException();

    /// <summary>Bytes of records that are dead and not yet reused.</summary>
    public long DeadRecordBytes => throw new NotImplementedException();

    /// <summary>Bytes of the index.</summary>
    public long IndexBytes => throw new NotImplementedException();

    /// <summary>Bytes of blocks of large values.</summary>
    public long BlockBytes => throw new NotImplementedException();
}
