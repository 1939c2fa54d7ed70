// One record's contribution to the expiry counters shown by INFO. Used under the latch of the record's bucket.
using Garnet.Store.DataTypes;
using Garnet.Store.Epochs;
using Garnet.Store.Maintenance;

namespace Garnet.Store.Records;

/// <summary>Computed before and after a change, so that <see cref="Become"/> can update a slot's counters.</summary>
/// <param name="Expires">Whether the record has an expiry.</param>
/// <param name="Due">Its expiry as converted by <see cref="StoreDatabases.DueOf"/>; 0 without one.</param>
/// <param name="IsVolatile">Whether it is a hash with an expiring field.</param>
internal readonly record struct ExpiryShare(bool Expires, long Due, bool IsVolatile)
{
    /// <summary>The contribution of a record in its current state; <c>default</c> for an absent one.</summary>
    public static unsafe ExpiryShare Of(HybridLogStore store, byte* record, ulong header)
    {
        bool expires = (header & RecordHeader.Expiry) != 0;
        return new ExpiryShare(
            expires,
            expires ? store.Databases.DueOf(RecordHeader.ExpiresAt(record, header)) : 0,
            DataTypeTable.HasElementExpiry(RecordHeader.Type(header)) && FieldExpiry.HasVolatile(record, header)
        );
    }

    /// <summary>Updates the counters for a record whose contribution has changed.</summary>
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
