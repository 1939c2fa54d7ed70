// Unneeded memory kept for reuse is returned to the system, and later allocations still succeed.
using System.Text;
using Garnet.Store.Collections.Sets;
using Garnet.Store.Epochs;
using Garnet.Store.Index;
using Garnet.Store.Tests.Collections;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Store.Tests;

public sealed class IdleMemoryTests(ITestOutputHelper output)
{
    private const int PageBits = 17;

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void After_all_keys_are_removed_almost_no_memory_is_kept(bool flushes)
    {
        const int Keys = 300_000;
        var time = new VirtualTime();
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = PageBits }, time);
        using var client = new StoreClient(store);
        for (int round = 0; round < 2; round++)
        {
            Fill(store, client, Keys);
            StoreStatistics full = store.Statistics;
            output.WriteLine($"full: log {full.LogBytes}, index {full.IndexBytes}, blocks {full.BlockBytes}, trees {full.TreeBytes}");
            if (flushes)
                store.Databases.FlushAll(client.Session);
            else
                DeleteAll(client, Keys);

            ExpiryTests.Settle(store, time, rounds: 12, stepMs: 1000);
            StoreStatistics left = store.Statistics;
            output.WriteLine($"left: log {left.LogBytes}, index {left.IndexBytes}, blocks {left.BlockBytes}, trees {left.TreeBytes}");
            Assert.Equal(0, store.Databases.KeyCount(0));

            // The page being filled, the one with an open chunk, and one ready.
            Assert.True(left.LogBytes - store.Log.TableBytes <= 3 << PageBits, $"log {left.LogBytes}");
            Assert.True(left.IndexBytes <= 512 << 10, $"index {left.IndexBytes}");
            Assert.Equal(0, left.BlockBytes);
            Assert.True(left.TreeBytes <= 640 << 10, $"trees {left.TreeBytes}");
        }
    }

    [Fact]
    public void Memory_that_is_reused_repeatedly_is_kept()
    {
        const int Bytes = 1 << 20;
        var time = new VirtualTime();
        using var store = new HybridLogStore(new StoreOptions(), time);
        using var client = new StoreClient(store);
        for (int round = 0; round < 100; round++)
        {
            byte[] key = [(byte)(round % 8)];
            client.SetBytes(key, new byte[Bytes]);
            time.Advance(500);
            store.Maintenance.Run();
            Assert.True(round < 8 || store.Statistics.BlockBytes >= Bytes);
            client.DeleteBytes(key);
        }

        Assert.Equal(0, store.Blocks.UsedBytes);
        Assert.Equal(Bytes, store.Blocks.CachedBytes);
    }

    [Fact]
    public void Keys_survive_while_other_overflow_buckets_are_freed_and_reallocated()
    {
        int seed = TestSeed.ChooseAnew(output);
        var random = new Random(seed);
        var time = new VirtualTime();
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = PageBits }, time);
        using var client = new StoreClient(store);
        var model = new Dictionary<int, int>();
        for (int wave = 0; wave < 2; wave++)
        {
            int most = random.Next(150_000, 300_000);
            for (int i = 0; i < most; i++)
            {
                client.Set("key" + i, wave + ":" + i);
                model[i] = wave;
                Maintain(store, time, i);
            }

            long before = store.Statistics.IndexBytes;
            int keeps = random.Next(2, 200);
            for (int i = 0; i < 300_000; i++)
            {
                if (i % keeps != 0 && model.Remove(i))
                    Assert.True(client.Delete("key" + i));

                Maintain(store, time, i);
            }

            ExpiryTests.Settle(store, time, rounds: 10, stepMs: 1000);
            output.WriteLine(
                $"one in {keeps} stays: index from {before} to {store.Statistics.IndexBytes}, {store.Index.OverflowCount} in overflow"
            );
            Assert.Equal(model.Count, store.Databases.KeyCount(0));
            foreach ((int key, int value) in model)
                Assert.Equal(value + ":" + key, client.Get("key" + key));
        }
    }

    [Fact]
    public void No_overflow_bucket_in_use_is_freed_or_allocated_twice()
    {
        const int Threads = 3;
        int seed = TestSeed.ChooseAnew(output);
        using var buckets = new OverflowBuckets();
        using var epochs = new EpochTable();
        using var isOver = new CancellationTokenSource();
        long least = long.MaxValue;
        var maintenance = new Thread(() =>
        {
            for (long nowMs = 1; !isOver.IsCancellationRequested; nowMs += 900)
            {
                buckets.Prepare();
                buckets.Maintain(epochs, nowMs);
                least = Math.Min(least, buckets.Bytes);
            }
        });
        maintenance.Start();
        var faults = new Exception?[Threads];
        Thread[] threads = Enumerable
            .Range(0, Threads)
            .Select(number => new Thread(() =>
                faults[number] = Record.Exception(() => TakeAndFree(buckets, new Random(seed + number), number + 1))
            ))
            .ToArray();
        Array.ForEach(threads, thread => thread.Start());
        Array.ForEach(threads, thread => thread.Join());
        isOver.Cancel();
        maintenance.Join();
        Assert.All(faults, Assert.Null);
        Assert.Equal(0, buckets.Used);
        long peak = buckets.Bytes;
        for (long nowMs = 1L << 50; nowMs < (1L << 50) + 100_000; nowMs += 900)
            while (buckets.Maintain(epochs, nowMs)) { }

        output.WriteLine($"{peak} bytes at the end, {buckets.Bytes} after");
        Assert.True(buckets.Bytes <= 256 << 10, $"{buckets.Bytes} bytes");
    }

    // Allocates buckets in waves and marks each with its owner; another thread's mark, or none, would reveal a double allocation.
    private static unsafe void TakeAndFree(OverflowBuckets buckets, Random random, int owner)
    {
        var mine = new List<uint>();
        for (int wave = 0; wave < 12; wave++)
        {
            for (int most = random.Next(1000, 20_000); mine.Count < most; )
            {
                uint number = buckets.Take();
                long* place = (long*)(buckets.Base + (number * (long)BucketLayout.Bytes));
                for (int i = 0; i < BucketLayout.Entries; i++)
                {
                    Assert.Equal(0, place[i]);
                    place[i] = ((long)owner << 32) | number;
                }

                mine.Add(number);
            }

            for (int left = random.Next(2) == 0 ? 0 : random.Next(mine.Count); mine.Count > left; )
            {
                int at = random.Next(mine.Count);
                uint number = mine[at];
                mine[at] = mine[^1];
                mine.RemoveAt(mine.Count - 1);
                Release(buckets, number, owner);
            }
        }

        mine.ForEach(number => Release(buckets, number, owner));
    }

    private static unsafe void Release(OverflowBuckets buckets, uint number, int owner)
    {
        long* place = (long*)(buckets.Base + (number * (long)BucketLayout.Bytes));
        for (int i = 0; i < BucketLayout.Entries; i++)
        {
            Assert.Equal(((long)owner << 32) | number, place[i]);
            place[i] = 0;
        }

        buckets.Free(number);
    }

    private static void Maintain(HybridLogStore store, VirtualTime time, int step)
    {
        if (step % 1000 == 0)
        {
            time.Advance(700);
            store.Maintenance.Run();
        }
    }

    private static void Fill(HybridLogStore store, StoreClient client, int keys)
    {
        for (int i = 0; i < keys; i++)
        {
            client.Set("key" + i, "value" + i);
            if (i % 1000 == 0)
                store.Maintenance.Run();
        }

        for (int i = 0; i < 60; i++)
            client.SetBytes(Encoding.UTF8.GetBytes("block" + i), new byte[400_000]);

        using var collections = new CollectionClient(store);
        byte[] field = new byte[100];
        for (int i = 0; i < 60_000; i++)
        {
            BitConverter.TryWriteBytes(field, i);
            new SetValue(collections.Open("tree"u8.ToArray())).Add(field);
        }
    }

    private static void DeleteAll(StoreClient client, int keys)
    {
        for (int i = 0; i < keys; i++)
            client.Delete("key" + i);

        for (int i = 0; i < 60; i++)
            client.Delete("block" + i);

        client.Delete("tree");
    }
}
