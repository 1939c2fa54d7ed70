// Idle times of keys, as encoded in the access byte. Single-threaded; random tests print their seeds.
using System.Text;
using Garnet.Store.Eviction;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Store.Tests;

public sealed class AccessTests(ITestOutputHelper output)
{
    [Fact]
    public void Reads_and_writes_count_as_accesses_but_inspecting_a_record_does_not()
    {
        var time = new VirtualTime();
        using var store = new HybridLogStore(new StoreOptions(), time);
        using var client = new StoreClient(store);
        foreach (string key in (string[])["read", "written", "looked at", "left alone"])
            client.Set(key, "1");

        ExpiryTests.Settle(store, time, rounds: 10, stepMs: 1000);
        client.Get("read");
        client.Set("written", "2");
        Assert.InRange(IdleMs(client, "looked at")!.Value, 9000, 11_000);
        Assert.Equal(0, IdleMs(client, "read"));
        Assert.Equal(0, IdleMs(client, "written"));
        Assert.InRange(IdleMs(client, "looked at")!.Value, 9000, 11_000);
        Assert.InRange(IdleMs(client, "left alone")!.Value, 9000, 11_000);
    }

    [Fact]
    public void A_session_may_read_without_touching()
    {
        var time = new VirtualTime();
        using var store = new HybridLogStore(new StoreOptions(), time);
        using var client = new StoreClient(store);
        client.Set("a", "1");
        client.Set("large", new string('x', 100_000));
        ExpiryTests.Settle(store, time, rounds: 10, stepMs: 1000);
        client.Session.Accesses.Touches = false;
        client.Get("a");
        client.Get("large");
        Assert.InRange(IdleMs(client, "a")!.Value, 9000, 11_000);
        Assert.InRange(IdleMs(client, "large")!.Value, 9000, 11_000);
        client.Session.Accesses.Touches = true;
        client.Get("a");
        client.Get("large");
        Assert.Equal(0, IdleMs(client, "a"));
        Assert.Equal(0, IdleMs(client, "large"));
    }

    [Fact]
    public void The_clock_takes_no_new_stamps_while_no_key_is_used()
    {
        var time = new VirtualTime();
        using var store = new HybridLogStore(new StoreOptions(), time);
        using var client = new StoreClient(store);
        client.Set("old", "1");
        ExpiryTests.Settle(store, time, rounds: 3, stepMs: 100_000_000);
        client.Set("new", "1");
        Assert.Equal(0, IdleMs(client, "new"));
        Assert.InRange(IdleMs(client, "old")!.Value, 300_000_000 - 1000, 300_000_000);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void Idle_times_are_accurate_to_a_second_and_then_to_an_eighth_in_any_history(int seed) =>
        CheckHistory(TestSeed.Choose(seed), EvictionPolicy.NoEviction, static (idleMs, _) => 2000 + (idleMs / 6));

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void With_use_counting_idle_times_are_accurate_to_a_step_and_then_to_a_quarter(int seed) =>
        CheckHistory(TestSeed.Choose(seed), EvictionPolicy.AllKeysLrfu, static (idleMs, allMs) => 2000 + (allMs / 500) + (idleMs / 3));

    [Fact]
    public void The_policy_may_change_to_one_that_counts_uses_and_back()
    {
        var time = new VirtualTime();
        using var store = new HybridLogStore(new StoreOptions(), time);
        using var client = new StoreClient(store);
        foreach (
            EvictionPolicy policy in (EvictionPolicy[])
                [
                    EvictionPolicy.AllKeysLru,
                    EvictionPolicy.AllKeysLrfu,
                    EvictionPolicy.AllKeysLfu,
                    EvictionPolicy.AllKeysLrfu,
                    EvictionPolicy.AllKeysLru,
                ]
        )
        {
            store.Eviction = new EvictionSettings { Policy = policy };
            ExpiryTests.Settle(store, time, rounds: 3, stepMs: 1000);
            client.Set("a", "1");
            client.Delete("b");
            client.Set("b", "1");
            ExpiryTests.Settle(store, time, rounds: 10, stepMs: 1000);
            client.Get("a");
            if (policy != EvictionPolicy.AllKeysLfu)
            {
                Assert.InRange(IdleMs(client, "a")!.Value, 0, 1000);
                Assert.InRange(IdleMs(client, "b")!.Value, 9000, 11_000);
            }
        }
    }

    private void CheckHistory(int seed, EvictionPolicy policy, Func<long, long, long> tolerance)
    {
        output.WriteLine($"seed {seed}");
        const int Keys = 400;
        var random = new Random(seed);
        var time = new VirtualTime();
        long start = time.NowMs;
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 16 }, time)
        {
            Eviction = new EvictionSettings { Policy = policy },
        };
        store.Maintenance.Run();
        using var client = new StoreClient(store);
        var used = new Dictionary<string, long>();
        for (int step = 0; step < 6000; step++)
        {
            string key = "k" + random.Next(Keys);
            switch (random.Next(10))
            {
                case < 5:
                    // Values of many sizes leave dead records behind, so that compaction moves the live ones.
                    client.Set(key, new string('v', random.Next(400)));
                    used[key] = time.NowMs;
                    break;
                case < 8 when client.Get(key) is not null:
                    used[key] = time.NowMs;
                    break;
                case 8 when client.Delete(key):
                    used.Remove(key);
                    break;
            }

            time.Advance(random.Next(200) == 0 ? random.Next(5_000_000) : random.Next(3000));
            store.Maintenance.Run();
        }

        while (store.Maintenance.Run()) { }

        foreach ((string key, long at) in used)
        {
            long idle = time.NowMs - at;
            long most = tolerance(idle, time.NowMs - start);
            Assert.InRange(IdleMs(client, key)!.Value, idle - most, idle + most);
        }
    }

    private static long? IdleMs(StoreClient client, string key)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(key);
        client.Session.EnterBatch();
        var reader = new AccessReader();
        ReadOutcome outcome = client.Session.Reads.ReadAny(bytes, client.Session.Hash(bytes), ref reader);
        long idle = client.Session.Store.Accesses.IdleMs(reader.Access, client.Session.NowMs);
        client.Session.LeaveBatch();
        return outcome == ReadOutcome.Found ? idle : null;
    }

    private struct AccessReader : IValueReader
    {
        public byte Access { get; private set; }

        public void Read(ReadOnlySpan<byte> value, in RecordInfo info) => Access = info.Access;
    }
}
