// Exchanges a record's value for its place on disk, and back. Used under the latch of the record's bucket.
using System.Numerics;
using System.Runtime.CompilerServices;
using Garnet.Store.Collections;
using Garnet.Store.Index;
using Garnet.Store.Log;
using Garnet.Store.Maintenance;
using Garnet.Store.Records;

namespace Garnet.Store.Tiering;

/// <summary>
/// A record whose value is on disk is a stub: all that was in the record but the value, of which only the locator is left. Exchanging one
/// for the other changes no key, so no one is notified.
/// </summary>
internal static unsafe class ColdRecord
{
    /// <summary>What a stub takes beside the key.</summary>
    private const int LocatorBytes = sizeof(long);

    /// <summary>Whether a record's value is on disk.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsStub(byte* record, ulong header) =>
        (header & RecordHeader.BlockValue) != 0 && ColdLocator.IsLocator((long)RecordHeader.ValueBlockOf(record, header));

    /// <summary>Where a stub's value is.</summary>
    public static ColdLocator LocatorOf(byte* record, ulong header) => new((long)RecordHeader.ValueBlockOf(record, header));

    /// <summary>
    /// The entry of a latched bucket whose value is on disk or on its way there: the one that refers to an object or, where none is given,
    /// that of a key with this hash, which is another key's only if all 64 bits are the same. Null when there is none.
    /// </summary>
    public static long* Find(HybridLogStore store, long bucket, ulong hash, ColdLocator? locator = null)
    {
        byte* at = store.Index.Bucket(bucket);
        while (true)
        {
            for (uint matches = BucketLayout.Match(at, IndexEntry.TagOf(hash)); matches != 0; matches &= matches - 1)
            {
                long* entry = (long*)at + BitOperations.TrailingZeroCount(matches);
                if (!IndexEntry.IsCold(*entry))
                    continue;
                byte* record = store.Log.Resolve(IndexEntry.AddressOf(*entry));
                ulong header = *(ulong*)record;
                bool isFound = locator is { } wanted
                    ? IsStub(record, header) && LocatorOf(record, header) == wanted
                    : PageWalk.HashOf(store, record, header) == hash;
                if (isFound)
                    return entry;
            }

            uint next = BucketWord.Overflow(*BucketLayout.Word(at));
            if (next == 0)
                return null;
            at = store.Index.OverflowBucket(next);
        }
    }

    /// <summary>The stub of a latched bucket that refers to an object; null when there is none.</summary>
    public static byte* FindStub(HybridLogStore store, long bucket, ulong hash, ColdLocator locator)
    {
        long* entry = Find(store, bucket, hash, locator);
        return entry == null ? null : store.Log.Resolve(IndexEntry.AddressOf(*entry));
    }

    /// <summary>
    /// Whether a record's value may be moved to disk: strings, hashes and sets in the record itself. Values in blocks and trees, those that
    /// blocked clients take elements from, and hashes with fields that expire stay.
    /// </summary>
    public static bool MayLeave(byte* record, ulong header, TierOptions options)
    {
        if ((header & (RecordHeader.Dead | RecordHeader.BlockValue)) != 0)
            return false;
        ReadOnlySpan<byte> value = RecordHeader.InlineValue(record, header);
        if (value.IsEmpty || value.Length < options.MinValueBytes || value.Length > options.MaxValueBytes)
            return false;
        return RecordHeader.Type(header) switch
        {
            RecordType.String => true,
            RecordType.Hash => PackedForm.Kind(value) != PackedForm.Tree && (PackedForm.FormOf(value) & PackedForm.HasExpiries) == 0,
            RecordType.Set => PackedForm.Kind(value) != PackedForm.Tree,
            _ => false,
        };
    }

    /// <summary>Lets a latched stub refer to another place.</summary>
    public static void Redirect(byte* stub, ColdLocator to) =>
        Unsafe.WriteUnaligned(stub + RecordHeader.ValueOffset(stub, *(ulong*)stub), to.Bits);

    /// <summary>Replaces a record by a stub.</summary>
    /// <param name="session">The session that holds the bucket's latch.</param>
    /// <param name="entry">The index entry of the record.</param>
    /// <param name="locator">Where the value is.</param>
    public static void BecomeStub(StoreSession session, long* entry, ColdLocator locator) => Replace(session, entry, [], locator);

    /// <summary>Replaces a stub by a record with its value.</summary>
    public static void BecomeValue(StoreSession session, long* entry, ReadOnlySpan<byte> value) => Replace(session, entry, value, default);

    // The new record has another address: who has read the old one without a latch keeps seeing it.
    private static void Replace(StoreSession session, long* entry, ReadOnlySpan<byte> value, ColdLocator locator)
    {
        HybridLogStore store = session.Store;
        bool isStub = locator.Bits != 0;
        long oldAddress = IndexEntry.AddressOf(*entry);
        byte* old = store.Log.Resolve(oldAddress);
        ulong header = *(ulong*)old;
        int keyEnd = RecordHeader.ValueOffset(old, header);
        int used = keyEnd + (isStub ? LocatorBytes : value.Length);
        int units = (used + RecordHeader.SlidingBytesOf(old, header) + 7) >> 3;
        byte* record = store.Log.Allocate(session.Slot, ref units, out long address);
        Buffer.MemoryCopy(old + 8, record + 8, keyEnd - 8, keyEnd - 8);
        if (isStub)
            Unsafe.WriteUnaligned(record + keyEnd, locator.Bits);
        else
            value.CopyTo(new Span<byte>(record + keyEnd, value.Length));
        if ((header & RecordHeader.Expiry) != 0)
            RecordHeader.WriteExpiry(record, units, RecordHeader.ExpiresAt(old, header), RecordHeader.Sliding(old, header));

        ulong flags = header & RecordHeader.FlagMask & ~RecordHeader.BlockValue;
        ulong made = RecordHeader.Build(
            header & RecordHeader.FormMask,
            flags | (isStub ? RecordHeader.BlockValue : 0),
            RecordHeader.Version(header),
            RecordHeader.Access(header),
            RecordHeader.Physical(header),
            units,
            RecordHeader.KeyField(header),
            (units * 8) - used
        );
        Volatile.Write(ref *(ulong*)record, made);
        *entry = IndexEntry.Of((ulong)*entry, address) | (isStub ? IndexEntry.Cold : 0);
        if ((header & RecordHeader.Expiry) != 0)
            store.Log.ScheduleExpiry(address, RecordHeader.ExpiresAt(record, made));
        store.Log.MarkDead(session.Slot, oldAddress);
    }
}
