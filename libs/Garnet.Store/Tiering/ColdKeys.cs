// Makes sure that the values of keys are in memory, for a session that is about to use them. Used inside a batch, without a latch.
using System.Numerics;
using Garnet.Store.Index;
using Garnet.Store.Records;

namespace Garnet.Store.Tiering;

/// <summary>
/// What was read is put in its place by the session that needs it: its epoch then keeps the value until the command ends, so that two
/// commands cannot send each other's values away forever.
/// </summary>
internal static unsafe class ColdKeys
{
    /// <summary>
    /// Whether a key's value may be on disk, or on its way there; at least when it is. One look at the key's bucket, without a latch; when
    /// the answer is no, the value stays until the session's command ends.
    /// </summary>
    public static bool MayBeCold(HybridLogStore store, ulong salted)
    {
        HashIndex index = store.Index;
        long number = index.Locate(salted);
        byte* bucket = index.Bucket(number);
        long* wordPlace = BucketLayout.Word(bucket);
        long word = Volatile.Read(ref *wordPlace);
        if ((word & BucketWord.Latched) != 0 || !BucketWord.Owns(word, salted, number) || BucketWord.Overflow(word) != 0)
            return true;
        bool mayBe = false;
        for (uint matches = BucketLayout.Match(bucket, IndexEntry.TagOf(salted)); matches != 0; matches &= matches - 1)
            mayBe |= IndexEntry.IsCold(Volatile.Read(ref ((long*)bucket)[BitOperations.TrailingZeroCount(matches)]));
        Volatile.ReadBarrier();
        return mayBe || *wordPlace != word;
    }

    /// <summary>Brings the values of some keys into memory, or says what is to be waited for before it is asked again.</summary>
    /// <param name="session">The session.</param>
    /// <param name="keys">The keys.</param>
    /// <param name="wait">Completes when it should be asked again.</param>
    public static ColdOutcome Prepare(StoreSession session, scoped ReadOnlySpan<KeyReference> keys, out Task? wait)
    {
        wait = null;
        ColdTier tier = session.Store.Tier!;
        Look look = LookAt(session, keys);
        if (look.Cold is not { } cold)
            return ColdOutcome.Warm;
        if (session.Store.Snapshots.MustWait(0))
        {
            // What comes back is an old image for the snapshot, and nothing can leave for it meanwhile.
            wait = session.Store.Snapshots.WaitAsync();
            return ColdOutcome.Wait;
        }

        if (look.Missing is { } missing)
            return Begin(tier, missing, out wait);
        return HasSpace(session, look.Bytes) ? Settle(session, tier, cold, out wait) : ColdOutcome.TooLarge;
    }

    /// <summary>Begins to read the values of some keys that will be needed soon, if there is space.</summary>
    public static void ReadAhead(StoreSession session, scoped ReadOnlySpan<KeyReference> keys)
    {
        if (LookAt(session, keys).Missing is { } missing)
            session.Store.Tier!.Loads.Begin(missing);
    }

    // Which keys are on disk or on their way there, and what has to be read of them.
    private static Look LookAt(StoreSession session, scoped ReadOnlySpan<KeyReference> keys)
    {
        HybridLogStore store = session.Store;
        Look look = default;
        foreach (KeyReference key in keys)
        {
            ulong salted = store.Databases.Map.Salt(key.Hash, store.Databases.Map.PhysicalOf(key.Database));
            if (!MayBeCold(store, salted))
                continue;
            using var latch = new BriefLatch(session, salted);
            long* entry = ColdRecord.Find(store, latch.Bucket, salted);
            if (entry == null)
                continue;
            (look.Cold ??= []).Add(salted);
            byte* record = store.Log.Resolve(IndexEntry.AddressOf(*entry));
            if (!ColdRecord.IsStub(record, *(ulong*)record))
                continue;
            ColdLocator locator = ColdRecord.LocatorOf(record, *(ulong*)record);
            look.Bytes += locator.Bytes;
            if (!store.Tier!.Loads.Has(locator))
                (look.Missing ??= []).Add((locator, salted));
        }

        return look;
    }

    /// <summary>Reads the value of a stub that a session meets while it excludes all others. The key's entry gets another record.</summary>
    /// <exception cref="ColdValueException">The value cannot be read, or there is no memory for it.</exception>
    public static void LoadNow(StoreSession session, long* entry, ulong salted)
    {
        HybridLogStore store = session.Store;
        byte* record = store.Log.Resolve(IndexEntry.AddressOf(*entry));
        if (!ColdRecord.IsStub(record, *(ulong*)record))
            return;
        if (store.Budget.IsBeyondTolerance && !session.Changes.WereAccepted)
            throw new ColdValueException("there is no memory for it");
        ColdLocator locator = ColdRecord.LocatorOf(record, *(ulong*)record);
        Return(session, entry, locator, store.Tier!.Loads.ReadNow(locator, salted, session.Changes.WereAccepted));
    }

    private static ColdOutcome Begin(ColdTier tier, List<(ColdLocator Locator, ulong Hash)> missing, out Task? wait)
    {
        wait = tier.Loads.Begin(missing);
        return wait is null ? ColdOutcome.TooLarge : ColdOutcome.Wait;
    }

    // Moves other values out if necessary. What cannot be moved or deleted must not grow without bound by being read.
    private static bool HasSpace(StoreSession session, long bytes) =>
        bytes == 0 || session.Memory.TryReserve(bytes) || session.Changes.WereAccepted || !session.Store.Budget.IsBeyondTolerance;

    // All values have been read: puts each in its place. What has changed in between is asked again.
    private static ColdOutcome Settle(StoreSession session, ColdTier tier, List<ulong> cold, out Task? wait)
    {
        wait = null;
        List<(ColdLocator Locator, ulong Hash)>? missing = null;
        foreach (ulong salted in cold)
        {
            using var latch = new BriefLatch(session, salted);
            long* entry = ColdRecord.Find(session.Store, latch.Bucket, salted);
            if (entry == null)
                continue;
            byte* record = session.Store.Log.Resolve(IndexEntry.AddressOf(*entry));
            if (!ColdRecord.IsStub(record, *(ulong*)record))
            {
                tier.Keep(entry);
                continue;
            }

            ColdLocator locator = ColdRecord.LocatorOf(record, *(ulong*)record);
            if (!tier.Loads.TryTake(locator, out TierLoad? load))
                (missing ??= []).Add((locator, salted));
            else if (!TryReturn(session, tier, entry, load!))
                return ColdOutcome.Failed;
        }

        return missing is null ? ColdOutcome.Warm : Begin(tier, missing, out wait);
    }

    private static bool TryReturn(StoreSession session, ColdTier tier, long* entry, TierLoad load)
    {
        try
        {
            // While a record refers to it, the segment cannot have been used again.
            if (load.Error != 0 || load.Generation != tier.Segments.GenerationOf(tier.Segments.SegmentOf(load.Locator.Position)))
                return false;
            Return(session, entry, load.Locator, load.Value);
            return true;
        }
        finally
        {
            tier.Loads.Free(load);
        }
    }

    private static void Return(StoreSession session, long* entry, ColdLocator locator, ReadOnlySpan<byte> value)
    {
        ColdTier tier = session.Store.Tier!;
        session.Store.Snapshots.Round?.BeforeChange(session.Store.Log.Resolve(IndexEntry.AddressOf(*entry)), session.Slot, value);
        ColdRecord.BecomeValue(session, entry, value);
        tier.Release(locator);
        tier.Statistics.Returned();
        session.Changes.Stamp++;
    }

    private struct Look
    {
        public List<ulong>? Cold;
        public List<(ColdLocator Locator, ulong Hash)>? Missing;
        public long Bytes;
    }
}
