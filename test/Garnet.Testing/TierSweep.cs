// Moves everything that may leave memory to disk, and checks a tier's counters. Used by tests, one thread at a time.
using Garnet.Store;
using Garnet.Store.Log;
using Garnet.Store.Maintenance;
using Garnet.Store.Records;
using Garnet.Store.Tiering;
using Xunit;

namespace Garnet.Testing;

/// <summary>What pressure on memory does over time, at once.</summary>
internal static unsafe class TierSweep
{
    /// <summary>Small sizes, so that few values fill segments.</summary>
    public static TierOptions SmallSizes { get; } =
        new()
        {
            MaxBytes = 4 << 20,
            SegmentBytes = 64 << 10,
            BufferBytes = 16 << 10,
            MinValueBytes = 0,
            MaxValueBytes = 8 << 10,
        };

    /// <summary>Moves all values that may leave; returns how many did.</summary>
    public static long MoveAll(HybridLogStore store)
    {
        ColdTier tier = store.Tier!;
        long before = tier.Statistics.MovedOut;
        using StoreSession session = store.OpenSession();
        for (long page = 1; page <= store.Log.HighPage; page++)
        {
            while (!TryMovePage(store, session, page))
                Settle(tier);
        }

        Settle(tier);
        return tier.Statistics.MovedOut - before;
    }

    /// <summary>Writes and publishes everything that is on its way.</summary>
    public static void Settle(ColdTier tier)
    {
        while (tier.IsMoving)
            tier.Mover.Run(publishes: true);
    }

    /// <summary>Checks that the live bytes of each segment are those to which records refer, and that the keys are counted.</summary>
    public static void Check(HybridLogStore store)
    {
        ColdTier tier = store.Tier!;
        Dictionary<int, long> live = [];
        long keys = 0;
        using StoreSession session = store.OpenSession();
        session.EnterBatch();
        for (long page = 1; page <= store.Log.HighPage; page++)
        {
            if (store.Log.Info(page)->State == PageInfo.Free)
                continue;
            var walk = new PageWalk(store, page);
            while (walk.MoveNext())
            {
                if (!ColdRecord.IsStub(walk.Record, walk.Header))
                    continue;
                ColdLocator locator = ColdRecord.LocatorOf(walk.Record, walk.Header);
                int segment = tier.Segments.SegmentOf(locator.Position);
                live[segment] = live.GetValueOrDefault(segment) + locator.Bytes;
                keys++;
            }
        }

        session.LeaveBatch();
        Assert.Equal(keys, tier.Statistics.ColdKeys);
        Assert.Equal(live.Values.Sum(), tier.Segments.LiveBytes);
        foreach ((int segment, long bytes) in live)
            Assert.Equal(bytes, tier.Segments.LiveOf(segment));
    }

    // False when there was no space for more.
    private static bool TryMovePage(HybridLogStore store, StoreSession session, long page)
    {
        bool isDone = true;
        session.EnterBatch();
        var walk = new PageWalk(store, page);
        while (store.Log.Info(page)->State != PageInfo.Free && walk.MoveNext())
        {
            if (!walk.TryLatch())
                continue;
            long* entry = store.Index.FindEntry(walk.Bucket, walk.Address);
            bool mayLeave =
                !Garnet.Store.Index.IndexEntry.IsCold(*entry) && ColdRecord.MayLeave(walk.Record, walk.Header, store.Tier!.Options);
            if (mayLeave && store.Tier!.TryLeave(entry, walk.Record, walk.Header, walk.Salted) == 0)
                isDone = !store.Tier.IsMoving;
            walk.Release();
            if (!isDone)
                break;
            session.EndCommand();
        }

        session.LeaveBatch();
        return isDone;
    }
}
