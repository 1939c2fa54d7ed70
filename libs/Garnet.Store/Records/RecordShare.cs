// One record's contribution to the counters of expiry, which INFO shows, and of its type. Used under the latch of the record's bucket.
using System.Runtime.CompilerServices;
using Garnet.Store.DataTypes;
using Garnet.Store.Epochs;
using Garnet.Store.Maintenance;

namespace Garnet.Store.Records;

/// <summary>Computed before and after a change, so that <see cref="Become"/> can update the counters.</summary>
/// <param name="expires">Whether the record has an expiry.</param>
/// <param name="due">Its expiry as converted by <see cref="StoreDatabases.DueOf"/>; 0 without one.</param>
/// <param name="isVolatile">Whether it is a hash with an expiring field.</param>
/// <param name="custom">Its type, if that is a custom one.</param>
internal readonly struct RecordShare(bool expires, long due, bool isVolatile, CustomType? custom = null)
{
    private readonly long _due = due;
    private readonly CustomType? _custom = custom;
    private readonly bool _expires = expires;
    private readonly bool _isVolatile = isVolatile;

    /// <summary>The contribution of a record in its current state; <c>default</c> for an absent one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe RecordShare Of(HybridLogStore store, byte* record, ulong header)
    {
        bool expires = (header & RecordHeader.Expiry) != 0;
        RecordType type = RecordHeader.Type(header);
        return new RecordShare(
            expires,
            expires ? store.Databases.DueOf(RecordHeader.ExpiresAt(record, header)) : 0,
            DataTypeTable.HasElementExpiry(type) && FieldExpiry.HasVolatile(record, header),
            type == RecordType.Custom ? CustomTypeOf(store, record, header) : null
        );
    }

    /// <summary>Updates the counters for a record whose contribution has changed.</summary>
    public unsafe void Become(in RecordShare after, EpochSlot slot, int physical)
    {
        if (_due != after._due || _expires != after._expires || _isVolatile != after._isVolatile)
        {
            slot.ExpiringKeys[physical] += (after._expires ? 1 : 0) - (_expires ? 1 : 0);
            slot.ExpirySums[physical] += after._due - _due;
            slot.VolatileHashes[physical] += (after._isVolatile ? 1 : 0) - (_isVolatile ? 1 : 0);
        }

        if (_custom != after._custom)
        {
            _custom?.CountKey(-1);
            after._custom?.CountKey(1);
        }
    }

    private static unsafe CustomType? CustomTypeOf(HybridLogStore store, byte* record, ulong header) =>
        store.Types.TryFind(CustomValue.IdOf(RecordHeader.Value(record, header)), out CustomType? type) ? type : null;
}
