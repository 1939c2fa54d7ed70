// Removes expired fields of hashes that are not accessed. Used by active expiry, one thread at a time.
using Garnet.Store.Changes;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Hashes;
using Garnet.Store.DataTypes;
using Garnet.Store.Records;
using Garnet.Store.Tiering;

namespace Garnet.Store.Maintenance;

/// <summary>A hash provides the expiry of its earliest field, at which active expiry visits it.</summary>
internal sealed unsafe class FieldExpiry(HybridLogStore store)
{
    private const int FieldsPerVisit = 128;

    /// <summary>
    /// A lower bound for the earliest expiry of a hash's fields; <see cref="long.MaxValue"/> when none expires. Called under the latch, or
    /// for a record that is not visible yet.
    /// </summary>
    public static long EarliestOf(ReadOnlySpan<byte> value) =>
        PackedForm.IsTree(value) ? HashTree.EarliestExpiry(value) : new HashView(value, trees: null, long.MinValue).EarliestExpiryMs;

    /// <summary>False when a hash certainly has no expiring field. Called without a latch; reads only the record itself.</summary>
    public static bool MayHaveExpiries(byte* record, ulong header) =>
        (header & RecordHeader.BlockValue) != 0
        || (PackedForm.FormOf(RecordHeader.InlineValue(record, header)) & PackedForm.HasExpiries) != 0;

    /// <summary>Whether a hash record has a field with an expiry. Called under the latch.</summary>
    public static bool HasVolatile(byte* record, ulong header)
    {
        // One with expiring fields stays in memory.
        if (ColdRecord.IsStub(record, header))
            return false;

        ReadOnlySpan<byte> value = RecordHeader.Value(record, header);
        return PackedForm.IsTree(value)
            ? PackedForm.TreeOf(value)->User0 > 0
            : (PackedForm.FormOf(value) & PackedForm.HasExpiries) != 0 && PackedForm.ExpiringFields(value) > 0;
    }

    /// <summary>
    /// Removes a bounded number of expired fields and passes the effects to the sink. Returns the time of the next visit,
    /// <see cref="long.MaxValue"/> for never.
    /// </summary>
    public long Visit(StoreSession session, ref PageWalk walk)
    {
        if (!walk.TryLatch())
            return long.MaxValue;

        // Flushed records are left to the reclaimer, without notifications.
        long earliest =
            DataTypeTable.HasElementExpiry(RecordHeader.Type(walk.Header))
            && store.Databases.Map.LogicalOf(RecordHeader.Physical(walk.Header)) >= 0
            && !ColdRecord.IsStub(walk.Record, walk.Header)
                ? EarliestOf(RecordHeader.Value(walk.Record, walk.Header))
                : long.MaxValue;
        if (earliest < session.NowMs)
            earliest = Remove(session, ref walk);

        walk.Release();
        return earliest;
    }

    private long Remove(StoreSession session, ref PageWalk walk)
    {
        // The record may be moved or removed while its key is still needed.
        ReadOnlySpan<byte> key = ElementScratch.Current.Copy(RecordHeader.Key(walk.Record, walk.Header));
        var record = new RecordHandle(walk.Latched(session, key));
        return RemoveDue(session, record, store.Databases.Map.LogicalOf(RecordHeader.Physical(walk.Header)), key);
    }

    /// <summary>
    /// As <see cref="Visit"/>, for a hash that the session has opened; its key must stay valid when the record is moved.
    /// </summary>
    public long RemoveDue(StoreSession session, RecordHandle record, int database, ReadOnlySpan<byte> key)
    {
        var hash = new HashValue(record);
        var telling = new EffectVisitor(store.Changes, session.Slot.Effects, database, key);
        long before = session.Changes.Count;
        session.Slot.ExpiredFields += hash.RemoveExpired(FieldsPerVisit, ref telling);
        // As with expired keys: no command made a change, so it does not count towards the save points.
        session.Slot.Changes -= session.Changes.Count - before;
        if (!hash.Exists)
            store.Changes.Notify(new KeyChange(KeyChangeKind.LastFieldExpired, database, key));

        return hash.EarliestExpiryMs;
    }

    private ref struct EffectVisitor(ChangeFeed changes, EffectWriter effects, int database, ReadOnlySpan<byte> key) : IElementVisitor
    {
        private readonly ReadOnlySpan<byte> _key = key;
        private bool _hasNotified;

        public void Visit(ReadOnlySpan<byte> element)
        {
            if (!_hasNotified)
            {
                _hasNotified = true;
                changes.Notify(new KeyChange(KeyChangeKind.FieldsExpired, database, _key));
            }

            changes.Sink?.Append(database, effects.DeleteField(_key, element));
        }
    }
}
