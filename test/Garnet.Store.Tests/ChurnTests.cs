// Keys from 16 bytes to 64 KiB are overwritten, deleted and expired for a long time: a short version of benchmark/memory/churn.py. Random
// tests print their seeds.
using System.Text;
using Garnet.Store.Eviction;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Store.Tests;

public sealed class ChurnTests(ITestOutputHelper output)
{
    private const int Rounds = 12;
    private const int OperationsPerRound = 5000;
    private const int OperationsPerMaintenance = 25;
    private static readonly byte[] Payload = new byte[1 << 16];

    [Fact]
    public void Memory_stays_at_its_limit_and_most_of_it_holds_data()
    {
        const long limit = 64L << 20;
        Random random = Seeded();
        var time = new VirtualTime();
        using var store = new HybridLogStore(new StoreOptions { MaxMemoryBytes = limit }, time)
        {
            Eviction = new EvictionSettings { Policy = EvictionPolicy.AllKeysLru, Tenacity = 100 },
        };
        using StoreSession session = store.OpenSession();
        for (int round = 0; round < Rounds; round++)
        {
            (long most, long leastLive) = Churn(store, session, time, random, keys: 30_000);
            output.WriteLine(
                $"round {round}: allocated at most {most / (double)limit:F3}, live at least {leastLive / (double)limit:F3} of the limit, dead records {store.Statistics.DeadRecordBytes / (double)limit:F3}, "
                    + $"{store.Statistics.EvictedKeys} evicted"
            );
            Assert.True(most <= limit * 1.06, $"{most / (double)limit:F3}");
            Assert.True(round < 2 || leastLive >= limit * 0.85, $"{leastLive / (double)limit:F3}");
        }

        Assert.True(store.Statistics.EvictedKeys > 0);
    }

    [Fact]
    public void Without_a_limit_memory_stays_within_a_fifth_above_live_data()
    {
        Random random = Seeded();
        var time = new VirtualTime();
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 18 }, time);
        using StoreSession session = store.OpenSession();
        for (int round = 0; round < Rounds; round++)
        {
            Churn(store, session, time, random, keys: 4000);
            ExpiryTests.Settle(store, time, rounds: 5, stepMs: 1);

            // Memory kept for reuse has its own bound, which is large for so little data.
            store.Maintenance.Purge();
            long live = store.Statistics.LiveBytes;
            long allocated = store.Statistics.AllocatedBytes;
            output.WriteLine(
                $"round {round}: {store.Databases.KeyCount(0)} keys, live {live}, allocated {allocated}: {allocated / (double)live:F3}"
            );
            Assert.True(allocated <= (live * 1.2) + (2 << 18), $"live {live}, allocated {allocated}");
        }
    }

    // Returns the most memory allocated from the system, and the least in use.
    private static (long Most, long MinLive) Churn(HybridLogStore store, StoreSession session, VirtualTime time, Random random, int keys)
    {
        long most = 0;
        long leastLive = long.MaxValue;
        byte[] key = new byte[16];
        for (int i = 0; i < OperationsPerRound; i++)
        {
            Encoding.ASCII.GetBytes($"key:{random.Next(keys):D12}", key);
            double kind = random.NextDouble();
            int size = (int)Math.Pow(2, 4 + (random.NextDouble() * 12));
            session.EnterBatch();
            if (kind < 0.1)
            {
                session.Open(key, session.Hash(key)).Delete();
            }
            else
            {
                Assert.True(session.Memory.TryReserve(size + 128));
                session.Open(key, session.Hash(key)).Set(Payload.AsSpan(0, size), kind < 0.3 ? session.NowMs + random.Next(100, 1000) : -1);
            }

            session.LeaveBatch();
            if (i % OperationsPerMaintenance == 0)
            {
                time.Advance(1);
                store.Maintenance.Run();
                most = Math.Max(most, store.Statistics.AllocatedBytes);
                leastLive = Math.Min(leastLive, store.Statistics.LiveBytes);
            }
        }

        return (most, leastLive);
    }

    private Random Seeded()
    {
        int seed = TestSeed.ChooseAnew(output);
        return new Random(seed);
    }
}
