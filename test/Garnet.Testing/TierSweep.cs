// Moves everything that may leave memory to disk, and checks a tier's counters. Used by tests, one thread at a time.
using Garnet.Store;
using Garnet.Store.Index;
using Garnet.Store.Log;
using Garnet.Store.Maintenance;
using Garnet.Store.Records;
using Garnet.Store.Tiering;
using Xunit;

namespace Garnet.Testing;

/// <summary>A tier for tests.</summary>
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
        using var sweep = new ColdSweep(store);
        return sweep.MoveAll();
    }

    /// <summary>Whether a key's value is on disk, in database 0. The session is not in a batch.</summary>
    public static bool IsCold(StoreSession session, byte[] key)
    {
        session.EnterBatch();
        DatabaseMap map = session.Store.Databases.Map;
        ulong salted = map.Salt(session.Hash(key), map.PhysicalOf(0));
        bool isCold;
        using (var latch = new BriefLatch(session, salted))
            isCold = ColdRecord.Find(session.Store, latch.Bucket, salted) != null;
        session.LeaveBatch();
        return isCold;
    }

    /// <summary>Writes and publishes everything that is on its way.</summary>
    public static void Settle(ColdTier tier)
    {
        while (tier.IsMoving)
            tier.Mover.Run(publishes: true);
    }

    /// <summary>
    /// Checks that the live bytes of each segment are those to which records refer, and that the keys are counted. Maintenance waits
    /// meanwhile. No batch may be open on this thread.
    /// </summary>
    public static void Check(HybridLogStore store)
    {
        using StoreSession session = store.OpenSession();
        session.RunExclusive(() => CheckAlone(store));
    }

    private static void CheckAlone(HybridLogStore store)
    {
        ColdTier tier = store.Tier!;
        Dictionary<int, long> live = [];
        long keys = 0;
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

        Assert.Equal(keys, tier.Statistics.ColdKeys);
        Assert.Equal(live.Values.Sum(), tier.Segments.LiveBytes);
        foreach ((int segment, long bytes) in live)
            Assert.Equal(bytes, tier.Segments.LiveOf(segment));
    }
}
