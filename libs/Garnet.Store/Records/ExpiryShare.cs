// What one record adds to the counts of expiries that INFO shows. Used under the latch of the record's bucket.
using Garnet.Store.Epochs;
using Garnet.Store.Maintenance;

namespace Garnet.Store.Records;

/// <summary>Taken before and after a change, so that <see cref="Become"/> keeps the counts of a slot.</summary>
/// <param name="Expires">Whether the record carries an expiry.</param>
/// <param name="Due">When that is due, by <see cref="HybridLogStore.DueOf"/>; 0 without one.</param>
/// <param name="IsVolatile">Whether it is a hash with a field that carries one.</param>
internal readonly record struct ExpiryShare(bool Expires, long Due, bool IsVolatile)
{
    /// <summary>The share of a record as it is; <c>default</c> is that of none.</summary>
    public static unsafe ExpiryShare Of(HybridLogStore store, byte* record, ulong header)
    {
        bool expires = (header & RecordHeader.Expiry) != 0;
        return new ExpiryShare(
            expires,
            expires ? store.DueOf(RecordHeader.ExpiresAt(record, header)) : 0,
            RecordHeader.Type(header) == RecordType.Hash && FieldExpiry.HasVolatile(record, header)
        );
    }

    /// <summary>Counts that a record's share is another now.</summary>
    public unsafe void Become(in ExpiryShare after, EpochSlot slot, int physical)
    {
        if (this == after)
        {
            return;
        }

        slot.ExpiringKeys[physical] += (after.Expires ? 1 : 0) - (Expires ? 1 : 0);
        slot.ExpirySums[physical] += after.Due - Due;
        slot.VolatileHashes[physical] += (after.IsVolatile ? 1 : 0) - (IsVolatile ? 1 : 0);
    }
}
