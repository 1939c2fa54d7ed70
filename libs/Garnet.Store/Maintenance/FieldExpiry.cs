// Removes expired fields of hashes that nobody asks for. Used by active expiry, one thread at a time.
using Garnet.Store.Collections;
using Garnet.Store.Collections.Hashes;
using Garnet.Store.Records;

namespace Garnet.Store.Maintenance;

/// <summary>A hash says when its first field expires; active expiry visits it then.</summary>
internal sealed unsafe class FieldExpiry(HybridLogStore store)
{
    private const int FieldsPerVisit = 128;

    /// <summary>
    /// A time no later than the first expiry of a field of a hash; <see cref="long.MaxValue"/> when none expires. Under the latch, or of a
    /// record nobody can see yet.
    /// </summary>
    public static long EarliestOf(ReadOnlySpan<byte> value) =>
        PackedForm.IsTree(value) ? HashTree.EarliestExpiry(value) : new HashView(value, trees: null, long.MinValue).EarliestExpiryMs;

    /// <summary>False when a hash surely has no field that expires. Without a latch; looks only within the record.</summary>
    public static bool MayHaveExpiries(byte* record, ulong header) =>
        (header & RecordHeader.BlockValue) != 0
        || (PackedForm.FormOf(RecordHeader.InlineValue(record, header)) & PackedForm.HasExpiries) != 0;

    /// <summary>Whether a record, which is a hash, has a field that carries an expiry. Under the latch.</summary>
    public static bool HasVolatile(byte* record, ulong header)
    {
        ReadOnlySpan<byte> value = RecordHeader.Value(record, header);
        return PackedForm.IsTree(value)
            ? PackedForm.TreeOf(value)->User0 > 0
            : (PackedForm.FormOf(value) & PackedForm.HasExpiries) != 0 && PackedForm.ExpiringFields(value) > 0;
    }

    /// <summary>
    /// Removes what has expired, a bounded number of fields, and tells the sink. Returns when the hash is to be visited next,
    /// <see cref="long.MaxValue"/> for never.
    /// </summary>
    public long Visit(StoreSession session, ref PageWalk walk)
    {
        if (!walk.TryLatch())
        {
            return long.MaxValue;
        }

        // What was flushed belongs to the scrubber, and nobody is to be told.
        long earliest =
            RecordHeader.Type(walk.Header) == RecordType.Hash && store.DatabaseMap.LogicalOf(RecordHeader.Physical(walk.Header)) >= 0
                ? EarliestOf(RecordHeader.Value(walk.Record, walk.Header))
                : long.MaxValue;
        if (earliest < session.NowMs)
        {
            earliest = Remove(session, ref walk);
        }

        walk.Release();
        return earliest;
    }

    private long Remove(StoreSession session, ref PageWalk walk)
    {
        // The record may move or go while its key is still needed.
        ReadOnlySpan<byte> key = StoreSession.CopyToScratch(RecordHeader.Key(walk.Record, walk.Header));
        RecordHandle record = walk.Handle(session, key);
        int database = store.DatabaseMap.LogicalOf(RecordHeader.Physical(walk.Header));
        var hash = new HashValue(record);
        var telling = new EffectVisitor(store.Sink, session.Effects, database, key);
        long before = session.ChangeCount;
        session.Slot.ExpiredFields += hash.RemoveExpired(FieldsPerVisit, ref telling);
        // As when a key expires: nobody changed anything that would have to be saved.
        session.CountAs(session.ChangeCount - before, 0);
        return hash.EarliestExpiryMs;
    }

    private readonly ref struct EffectVisitor(IWriteSink? sink, EffectWriter effects, int database, ReadOnlySpan<byte> key)
        : IElementVisitor
    {
        private readonly ReadOnlySpan<byte> _key = key;

        public void Visit(ReadOnlySpan<byte> element) => sink?.Append(database, effects.DeleteField(_key, element));
    }
}
