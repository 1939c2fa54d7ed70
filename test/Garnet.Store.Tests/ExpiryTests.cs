// Expiry on access and in the background, the notifications of the sink, and that memory is freed.
using System.Text;
using Xunit;

namespace Garnet.Store.Tests;

public sealed class ExpiryTests
{
    [Fact]
    public void An_expired_key_is_removed_on_access_and_the_sink_is_notified()
    {
        var time = new VirtualTime();
        using var store = new HybridLogStore(new StoreOptions(), time);
        var sink = new RecordingSink();
        store.Changes.Sink = sink;
        using var client = new StoreClient(store);
        client.Set("read", "1", time.NowMs + 10, database: 2);
        client.Set("written", "1", time.NowMs + 10);
        time.Advance(10);
        Assert.Equal("1", client.Get("read", 2));
        time.Advance(1);
        Assert.Null(client.Get("read", 2));
        Assert.False(client.Delete("written"));
        Assert.Equal(["2 *2\r\n$3\r\nDEL\r\n$4\r\nread\r\n", "0 *2\r\n$3\r\nDEL\r\n$7\r\nwritten\r\n"], sink.Effects);
        Assert.Equal(2, store.Statistics.ExpiredKeys);
        Assert.Equal(0, store.Databases.KeyCount(2));
        Assert.Equal(0, store.Databases.ExpiringKeyCount(0));
    }

    [Fact]
    public void Unaccessed_expired_keys_are_removed_by_maintenance_and_their_memory_is_freed()
    {
        var time = new VirtualTime();
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 18 }, time);
        using var client = new StoreClient(store);
        long before = store.Statistics.AllocatedBytes;
        for (int i = 0; i < 60_000; i++)
            client.Set("key" + i, new string('v', 40), time.NowMs + 1000 + (i % 5000));

        client.Set("stays", "x");
        Settle(store, time, rounds: 40, stepMs: 300);
        Assert.Equal(1, store.Databases.KeyCount(0));
        Assert.Equal(0, store.Databases.ExpiringKeyCount(0));
        Assert.Equal(60_000, store.Statistics.ExpiredKeys);
        Assert.True(store.Statistics.AllocatedBytes - before < 1 << 20, $"{store.Statistics.AllocatedBytes - before} bytes are left");
    }

    [Fact]
    public void Capped_expiry_runs_and_the_share_of_stale_keys_are_counted_until_a_reset()
    {
        var time = new VirtualTime();
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 18 }, time);
        using var client = new StoreClient(store);
        for (int i = 0; i < 60_000; i++)
            client.Set("key" + i, "v", time.NowMs + (i % 4 == 0 ? 1_000_000 : 1000));

        store.Maintenance.Run();
        Assert.Equal(0, store.Statistics.CappedExpiryRuns);
        Assert.Equal(0, store.Statistics.StaleKeyShare);
        time.Advance(2000);
        double most = 0;
        while (store.Maintenance.Run())
            most = Math.Max(most, store.Statistics.StaleKeyShare);

        // 60,000 records at 8,192 per run; three quarters of the keys of each page had expired.
        Assert.InRange(store.Statistics.CappedExpiryRuns, 5, 20);
        Assert.InRange(most, 0.03, 0.75);
        Assert.Equal(45_000, store.Statistics.ExpiredKeys);
        Settle(store, time, rounds: 200, stepMs: 1);
        Assert.InRange(store.Statistics.StaleKeyShare, 0, 0.01);
        store.Statistics.Reset();
        Assert.Equal(0, store.Statistics.CappedExpiryRuns);
        Assert.Equal(0, store.Statistics.ExpiredKeys);
        Assert.Equal(0, store.Statistics.ExpiryMs);
        Assert.Equal(15_000, store.Databases.KeyCount(0));
    }

    [Fact]
    public void Active_expiry_can_be_switched_off()
    {
        var time = new VirtualTime();
        using var store = new HybridLogStore(new StoreOptions(), time) { Maintenance = { RemovesExpired = false } };
        using var client = new StoreClient(store);
        client.Set("k", "v", time.NowMs + 1);
        Settle(store, time, rounds: 10, stepMs: 1000);
        Assert.Equal(1, store.Databases.KeyCount(0));
        Assert.Null(client.Get("k"));
        Assert.Equal(0, store.Databases.KeyCount(0));
    }

    [Fact]
    public void An_expiry_can_be_added_to_and_removed_from_every_kind_of_record()
    {
        var time = new VirtualTime();
        using var store = new HybridLogStore(new StoreOptions { BlockThresholdBytes = 100 }, time);
        using var client = new StoreClient(store);
        foreach (int length in (int[])[0, 5, 90, 5000])
        {
            foreach (int keyLength in (int[])[1, 300, 8000])
            {
                string key = new('k', keyLength);
                string value = new('v', length);
                byte[] bytes = Encoding.UTF8.GetBytes(key);
                client.Set(key, value);
                for (int i = 0; i < 3; i++)
                {
                    client.Session.EnterBatch();
                    RecordHandle handle = client.Session.Open(bytes, client.Session.Hash(bytes));
                    handle.SetExpiry(i % 2 == 0 ? time.NowMs + 100 : -1);
                    Assert.Equal(i % 2 == 0 ? time.NowMs + 100 : -1, handle.ExpiresAtMs);
                    Assert.Equal(length, handle.Length);
                    client.Session.LeaveBatch();
                    Assert.Equal(value, client.Get(key));
                }
            }
        }

        Assert.Equal(3, store.Databases.ExpiringKeyCount(0));
    }

    internal static void Settle(HybridLogStore store, VirtualTime time, int rounds, int stepMs)
    {
        for (int i = 0; i < rounds; i++)
        {
            time.Advance(stepMs);
            for (int k = 0; k < 1000 && store.Maintenance.Run(); k++) { }
        }
    }

    private sealed class RecordingSink : IWriteSink
    {
        public List<string> Effects { get; } = [];

        public void Append(int database, ReadOnlySpan<byte> effect) => Effects.Add($"{database} {Encoding.UTF8.GetString(effect)}");
    }
}
