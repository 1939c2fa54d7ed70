// Iteration returns every key that exists throughout, however the index changes meanwhile; random keys are uniform.
using Garnet.Testing;
using Xunit;

namespace Garnet.Store.Tests;

public sealed class ScanTests
{
    [Fact]
    public void A_scan_returns_every_permanent_key_while_the_index_grows_and_shrinks()
    {
        var random = new Random(TestSeed.Choose(1));
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 16 }, new VirtualTime());
        using var client = new StoreClient(store);
        for (int i = 0; i < 500; i++)
            client.Set("stays" + i, "x");

        for (int round = 0; round < 12; round++)
        {
            var seen = new List<string>();
            var visitor = new StoreClient.CollectingVisitor(seen);
            long cursor = 0;
            int written = 0;
            do
            {
                client.Session.EnterBatch();
                cursor = client.Session.Reads.Scan(0, cursor, random.Next(1, 4), ref visitor);
                client.Session.LeaveBatch();

                // Odd rounds shrink what even rounds grew, in the middle of the scan.
                for (int i = 0; i < 100 && written < 20_000; i++, written++)
                {
                    if (round % 2 == 0)
                        client.Set("comes" + written, "x");
                    else
                        client.Delete("comes" + written);
                }

                store.Maintenance.Run();
            } while (cursor != 0);
            Assert.Equal(500, seen.Where(key => key.StartsWith("stays", StringComparison.Ordinal)).Distinct().Count());
        }
    }

    [Fact]
    public void A_scan_shows_neither_expired_keys_nor_those_of_other_databases()
    {
        var time = new VirtualTime();
        using var store = new HybridLogStore(new StoreOptions(), time);
        using var client = new StoreClient(store);
        client.Set("a", "1", time.NowMs + 5);
        client.Set("b", "2");
        client.Set("c", "3", database: 3);
        Assert.Equal(["a", "b"], client.ScanAll(buckets: 10).Order(StringComparer.Ordinal));
        time.Advance(6);
        Assert.Equal(["b"], client.ScanAll(buckets: 1000));
        Assert.Equal(["c"], client.ScanAll(3));
    }

    [Fact]
    public void Every_cursor_is_accepted()
    {
        using var store = new HybridLogStore(new StoreOptions(), new VirtualTime());
        using var client = new StoreClient(store);
        client.Set("a", "1");
        foreach (long cursor in (long[])[-1, long.MaxValue, long.MinValue, 12345678901234])
        {
            var visitor = new StoreClient.CollectingVisitor([]);
            client.Session.EnterBatch();
            long next = client.Session.Reads.Scan(0, cursor, 100_000, ref visitor);
            client.Session.LeaveBatch();
            Assert.Equal(0, next);
        }
    }

    [Fact]
    public void Random_keys_are_uniform_and_there_is_none_in_an_empty_database()
    {
        using var store = new HybridLogStore(new StoreOptions(), new VirtualTime());
        using var client = new StoreClient(store);
        var visitor = new StoreClient.CollectingVisitor([]);
        client.Session.EnterBatch();
        Assert.False(client.Session.Reads.TryRandomKey(0, ref visitor));
        client.Session.LeaveBatch();
        for (int i = 0; i < 3000; i++)
            client.Set("other" + i, "x", database: 1);

        for (int i = 0; i < 50; i++)
            client.Set("k" + i, "x");

        for (int i = 0; i < 2000; i++)
        {
            client.Session.EnterBatch();
            Assert.True(client.Session.Reads.TryRandomKey(0, ref visitor));
            client.Session.LeaveBatch();
        }

        Assert.Equal(50, visitor.Keys.Distinct().Count());
    }
}
