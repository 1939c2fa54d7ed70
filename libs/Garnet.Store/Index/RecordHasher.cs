// Recomputes the hash of a record's key, for splits. Used under the latch of the record's bucket.
using Garnet.Store.Log;
using Garnet.Store.Records;

namespace Garnet.Store.Index;

/// <summary>Computes an entry's full hash from the log.</summary>
internal readonly unsafe struct RecordHasher(RecordLog log, DatabaseMap databases) : IEntryHasher
{
    public ulong HashOf(long address)
    {
        byte* record = log.Resolve(address);
        ulong header = *(ulong*)record;
        ulong hash =
            (header & RecordHeader.BlockKey) != 0
                ? RecordHeader.KeyBlockOf(record, header)->KeyHash
                : databases.KeyHash.Compute(RecordHeader.Key(record, header));
        return databases.Salt(hash, RecordHeader.Physical(header));
    }

    public void Prefetch(byte* bucket)
    {
        for (int i = 0; i < BucketLayout.Entries; i++)
        {
            long entry = ((long*)bucket)[i];
            if (entry != 0)
                log.Prefetch(IndexEntry.AddressOf(entry));
        }
    }
}
