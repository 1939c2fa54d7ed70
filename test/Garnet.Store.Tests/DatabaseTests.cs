// Logical databases: isolation, swapping, flushing, and reuse of the physical numbers of flushed databases.
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Store.Tests;

public sealed class DatabaseTests(ITestOutputHelper output)
{
    [Fact]
    public void Databases_are_separate_and_can_be_swapped_and_flushed()
    {
        using var store = new HybridLogStore(new StoreOptions(), new VirtualTime());
        using var client = new StoreClient(store);
        client.Set("k", "zero");
        client.Set("k", "one", database: 1);
        client.Set("only", "zero");
        store.Databases.Swap(client.Session, 0, 1);
        Assert.Equal("one", client.Get("k"));
        Assert.Equal("zero", client.Get("k", 1));
        Assert.Null(client.Get("only"));
        Assert.Equal(1, store.Databases.KeyCount(0));
        Assert.Equal(2, store.Databases.KeyCount(1));
        store.Databases.Flush(client.Session, 1);
        Assert.Null(client.Get("k", 1));
        Assert.Equal(0, store.Databases.KeyCount(1));
        Assert.Equal("one", client.Get("k"));
        Assert.Equal(["k"], client.ScanAll());
        Assert.Empty(client.ScanAll(1));
    }

    [Fact]
    public void Flushed_keys_never_reappear_during_compaction()
    {
        int seed = TestSeed.ChooseAnew(output);
        var random = new Random(seed);
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 16, Databases = 100 }, new VirtualTime());
        using var client = new StoreClient(store);
        for (int i = 0; i < 20_000; i++)
            client.Set("kept" + i, "x", database: 1);

        for (int round = 0; round < 60; round++)
        {
            int keys = random.Next(10_000);
            for (int i = 0; i < keys; i++)
            {
                client.Set($"{round}-{i}", new string('v', random.Next(120)));
                if (random.Next(3) == 0)
                    client.Delete($"{round}-{random.Next(keys)}");
            }

            Assert.All(client.ScanAll(buckets: 100), key => Assert.StartsWith($"{round}-", key, StringComparison.Ordinal));
            store.Databases.Flush(client.Session, 0);
            Assert.Empty(client.ScanAll(buckets: 100));
            for (int i = random.Next(9); i > 0; i--)
                store.Maintenance.Run();
        }

        Assert.Equal(20_000, client.ScanAll(1, buckets: 100).Distinct().Count());
    }

    [Fact]
    public void Any_number_of_flushes_can_follow_each_other()
    {
        using var store = new HybridLogStore(new StoreOptions { Databases = 128 }, new VirtualTime());
        using var client = new StoreClient(store);
        for (int round = 0; round < 700; round++)
        {
            client.Set("k", "v" + round);
            client.Set("other" + round, "v", database: 127);
            store.Databases.Flush(client.Session, 0);
            Assert.Null(client.Get("k"));
            if (round % 97 == 0)
                store.Maintenance.Run();
        }

        while (store.Maintenance.Run()) { }

        Assert.Equal(700, store.Databases.KeyCount(127));
        Assert.Equal(700, client.ScanAll(127).Count);
        store.Databases.FlushAll(client.Session);
        while (store.Maintenance.Run()) { }

        Assert.Equal(0, store.Statistics.LiveRecordBytes);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_second_set_of_databases_takes_the_place_of_the_first_or_is_dropped(bool isTaken)
    {
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 16, Databases = 100 }, new VirtualTime());
        using var client = new StoreClient(store);
        for (int round = 0; round < 5; round++)
        {
            for (int i = 0; i < 5_000; i++)
                client.Set($"old-{i}", new string('o', i % 120), database: i % 3);
            Assert.True(store.Databases.TryPrepare(client.Session));
            // Two of three are deleted again, so that pages with what is prepared are compacted, between flushes.
            for (int i = 0; i < 15_000; i++)
            {
                client.Set($"new-{i}", new string('n', i % 120), database: 100 + (i % 2));
                if (i % 3 != 0)
                    client.Delete($"new-{i}", database: 100 + (i % 2));
                if (i % 1000 == 0)
                    store.Databases.Flush(client.Session, 2);
                if (i % 100 == 0)
                    store.Maintenance.Run();
            }

            while (store.Maintenance.Run()) { }
            Assert.Equal((1667, 1667, 0), (store.Databases.KeyCount(0), store.Databases.KeyCount(1), store.Databases.KeyCount(2)));
            Assert.Null(client.Get("new-0"));
            Assert.All(client.ScanAll(1, buckets: 100), static key => Assert.StartsWith("old-", key, StringComparison.Ordinal));

            if (isTaken)
                store.Databases.Exchange(client.Session);
            else
                store.Databases.GiveUpPrepared(client.Session);
            while (store.Maintenance.Run()) { }
            string kept = isTaken ? "new-" : "old-";
            List<string>[] keys = [.. Enumerable.Range(0, 3).Select(database => client.ScanAll(database, buckets: 100))];
            int[] counts = isTaken ? [2500, 2500, 0] : [1667, 1667, 0];
            Assert.Equal(counts, keys.Select(static each => each.Distinct().Count()));
            Assert.All(keys.SelectMany(static each => each), key => Assert.StartsWith(kept, key, StringComparison.Ordinal));
            store.Databases.FlushAll(client.Session);
            while (store.Maintenance.Run()) { }
            Assert.Equal(0, store.Statistics.LiveRecordBytes);
        }
    }

    [Fact]
    public void There_is_no_second_set_without_a_spare_database_for_flushes()
    {
        using var most = new HybridLogStore(new StoreOptions { Databases = 127 }, new VirtualTime());
        using var client = new StoreClient(most);
        client.Set("k", "v", database: 126);
        client.Set("j", "v");
        // What was flushed is reclaimed for it.
        most.Databases.Flush(client.Session, 0);
        Assert.True(most.Databases.TryPrepare(client.Session));
        client.Set("new", "v", database: 127);
        most.Databases.Flush(client.Session, 126);
        most.Databases.Exchange(client.Session);
        Assert.Equal("v", client.Get("new"));

        using var tooMany = new HybridLogStore(new StoreOptions { Databases = 128 }, new VirtualTime());
        using var other = new StoreClient(tooMany);
        Assert.False(tooMany.Databases.TryPrepare(other.Session));
    }
}
