// Memory is freed, the hot paths allocate no managed memory, blocks are counted.
using System.Text;
using Garnet.Store.Memory;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Store.Tests;

public sealed class MemoryTests(ITestOutputHelper output)
{
    [Fact]
    public void A_presized_index_is_kept_only_while_keys_are_expected()
    {
        const int Keys = 100_000;
        const long MinBytes = Keys / 5 * 64;
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 17 }, new VirtualTime());
        using var client = new StoreClient(store);
        using StoreSession session = store.OpenSession();
        client.Set("before", "value", -1);
        Assert.True(store.Statistics.IndexBytes < MinBytes / 8);
        store.Growth.Expect(session, Keys);
        for (int round = 0; round < 300; round++)
            store.Maintenance.Run();

        Assert.InRange(store.Statistics.IndexBytes, MinBytes, 2 * MinBytes);
        for (int i = 0; i < 2000; i++)
            client.Set("key" + i, "value" + i, -1);

        store.Growth.EndExpectation();
        for (int round = 0; round < 300; round++)
            store.Maintenance.Run();

        Assert.True(store.Statistics.IndexBytes < MinBytes / 4, $"{store.Statistics.IndexBytes} bytes");
        Assert.Equal("value", client.Get("before"));
        Assert.Equal("value1999", client.Get("key1999"));
    }

    [Fact]
    public void Long_overwriting_deleting_and_expiring_keeps_memory_within_a_fifth_above_live_data()
    {
        int seed = TestSeed.ChooseAnew(output);
        var random = new Random(seed);
        var time = new VirtualTime();
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 17 }, time);
        using var client = new StoreClient(store);
        for (int round = 0; round < 20; round++)
        {
            int size = 20 + (round * 13 % 200);
            for (int i = 0; i < 15_000; i++)
            {
                string key = "key" + random.Next(15_000);
                if (random.Next(3) == 0)
                    client.Delete(key);
                else
                    client.Set(key, new string('v', size + random.Next(30)), random.Next(3) == 0 ? time.NowMs + random.Next(2000) : -1);

                if (i % 500 == 0)
                    store.Maintenance.Run();
            }

            ExpiryTests.Settle(store, time, rounds: 20, stepMs: 1000);
            long live = store.Statistics.LiveRecordBytes;
            long pages = store.Statistics.LiveRecordBytes + store.Statistics.DeadRecordBytes;
            output.WriteLine(
                $"round {round}: {store.Databases.KeyCount(0)} keys, live {live}, pages {pages}, all {store.Statistics.AllocatedBytes}"
            );

            // Besides the fifth: the page being filled, and one not yet worth compacting.
            Assert.True(pages <= (live * 1.2) + (3 << 17), $"live {live}, pages {pages}");
            Assert.True(
                store.Statistics.AllocatedBytes - store.Statistics.IndexBytes <= (live * 1.2) + (6 << 17),
                $"live {live}, allocated {store.Statistics.AllocatedBytes}"
            );
        }
    }

    [Fact]
    public void Strings_that_grow_into_the_records_of_others_keep_their_lengths()
    {
        int seed = TestSeed.ChooseAnew(output);
        var random = new Random(seed);
        using var store = new HybridLogStore(new StoreOptions(), new VirtualTime());
        using var client = new StoreClient(store);
        var lengths = new Dictionary<int, int>();
        for (int i = 0; i < 10_000; i++)
        {
            int number = random.Next(30);
            byte[] key = Encoding.UTF8.GetBytes("key" + number);
            int length = lengths.GetValueOrDefault(number);
            if (length is 0 or > 16_000)
            {
                client.DeleteBytes(key);
                lengths[number] = random.Next(9_000, 15_500);
                client.SetBytes(key, new byte[lengths[number]]);
            }
            else
            {
                int more = random.Next(1, 300);
                client.Append(key, new byte[more]);
                lengths[number] = length + more;
            }

            Assert.Equal(lengths[number], client.GetBytes(key)!.Length);
        }
    }

    [Fact]
    public void Reads_and_writes_allocate_nothing_managed()
    {
        using var store = new HybridLogStore(new StoreOptions(), TimeProvider.System);
        using StoreSession session = store.OpenSession();
        byte[][] keys = Enumerable.Range(0, 500).Select(i => Encoding.UTF8.GetBytes("key" + i)).ToArray();
        var references = new KeyReference[2];
        Work(session, keys, references, 30);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Work(session, keys, references, 30);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public void Large_values_live_in_blocks_that_are_shared_counted_and_freed()
    {
        using var store = new HybridLogStore(new StoreOptions(), new VirtualTime());
        using var client = new StoreClient(store);
        byte[] value = new byte[100_000];
        Random.Shared.NextBytes(value);
        client.SetBytes("big"u8.ToArray(), value);
        Assert.True(store.Statistics.BlockBytes >= 100_000);
        client.Session.EnterBatch();
        RecordHandle handle = client.Session.Open("big"u8, client.Session.Hash("big"u8));
        Assert.True(handle.Contents.IsBlock);
        Assert.True(handle.Contents.MemoryBytes >= 100_000);
        Assert.True(handle.TryReferenceBlock(out ValueBlock shared));

        // The holder of the reference still sees the old content.
        handle.Mutate()[0] ^= 255;
        handle.Resize(50_000).Clear();
        client.Session.LeaveBatch();
        Assert.True(shared.Span.SequenceEqual(value));
        Assert.Equal(new byte[50_000], client.GetBytes("big"u8.ToArray()));
        Assert.Equal(2, store.Blocks.LiveBlocks);
        shared.Release();
        client.Delete("big");
        Assert.Equal(0, store.Blocks.LiveBlocks);
    }

    [Fact]
    public void A_declared_length_takes_no_memory_before_its_bytes_arrive()
    {
        using var store = new HybridLogStore(new StoreOptions(), new VirtualTime());
        using var client = new StoreClient(store);
        var block = ValueBlock.Allocate(store, 512 << 20);
        Assert.Equal(0, store.Statistics.BlockBytes);
        block.Span[..10_000].Fill(7);
        block.CountArrived(10_000);
        Assert.Equal(12_288, store.Statistics.BlockBytes);
        block.Release();
        Assert.Equal(0, store.Statistics.BlockBytes);
        block = ValueBlock.Allocate(store, 20_000);
        block.Span.Fill(9);
        client.Session.EnterBatch();
        RecordHandle handle = client.Session.Open("k"u8, client.Session.Hash("k"u8));
        handle.SetBlock(block);
        client.Session.LeaveBatch();
        Assert.Equal(20_480, store.Statistics.BlockBytes);
        Assert.All(client.GetBytes("k"u8.ToArray())!, b => Assert.Equal(9, b));
    }

    [Fact]
    public void Writes_beyond_the_limit_get_no_reservation()
    {
        using var store = new HybridLogStore(new StoreOptions { MaxMemoryBytes = 8 << 20 }, new VirtualTime());
        using var client = new StoreClient(store);
        byte[] value = new byte[1000];
        int written = 0;
        while (written < 100_000)
        {
            client.Session.EnterBatch();
            bool hasCredit = client.Session.Memory.TryReserve(value.Length + 64);
            client.Session.LeaveBatch();
            if (!hasCredit)
                break;

            client.SetBytes(Encoding.UTF8.GetBytes("key" + written++), value);
        }

        Assert.InRange(written, 5000, 9000);
        Assert.True(store.Statistics.AllocatedBytes <= 9 << 20);
    }

    [Fact]
    public void Size_classes_of_blocks_waste_at_most_an_eighth()
    {
        for (long bytes = 1; bytes < 4 << 20; bytes += 1 + (bytes / 50))
        {
            long size = BlockHeap.BytesOf(BlockHeap.ClassOf(bytes));
            Assert.True(size >= bytes && size <= Math.Max(bytes + 4096, bytes * 9 / 8 + 4096), $"{bytes} in {size}");
        }
    }

    [Fact]
    public unsafe void Freed_blocks_are_kept_for_the_next_of_their_size_and_given_back_where_most_are_kept()
    {
        using var heap = new BlockHeap { MaxCachedBytes = 1 << 20 };
        BlockHeader* rare = Touched(heap, 20_000);
        var many = new List<nint>();
        for (int i = 0; i < 64; i++)
            many.Add((nint)Touched(heap, 60_000));

        heap.Release(rare);
        foreach (nint block in many)
            heap.Release((BlockHeader*)block);

        // Maintenance has not run yet, so twice the allowed amount is cached.
        Assert.InRange(heap.CachedBytes, 1 << 20, 2 << 20);
        heap.Trim();
        Assert.InRange(heap.CachedBytes, 900_000, 1 << 20);
        Assert.Equal(heap.CachedBytes, heap.Bytes);
        BlockHeader* again = heap.Allocate(20_000, 20_000);
        Assert.True(again == rare);
        Assert.Equal(20_480, heap.UsedBytes);
        heap.Release(again);
        heap.MaxCachedBytes = 0;
        heap.Trim();
        Assert.Equal(0, heap.Bytes);
        BlockHeader* bare = Touched(heap, 60_000);
        Assert.Equal(61_440, heap.Bytes);
        heap.Release(bare);
    }

    [Fact]
    public unsafe void Memory_that_is_given_back_reads_as_zero_whatever_order_its_blocks_were_freed_in()
    {
        using var heap = new BlockHeap { MaxCachedBytes = 0 };
        var random = new Random(TestSeed.Choose(5));
        nint[] blocks = new nint[600];
        for (int round = 0; round < 3; round++)
        {
            for (int i = 0; i < blocks.Length; i++)
                blocks[i] = (nint)Touched(heap, 4096 * random.Next(1, 4));

            heap.MaxCachedBytes = long.MaxValue / 4;
            random.Shuffle(blocks);
            foreach (nint block in blocks.AsSpan(0, 500))
                heap.Release((BlockHeader*)block);

            long used = heap.UsedBytes;
            heap.MaxCachedBytes = 0;
            heap.Trim();
            Assert.Equal(used, heap.Bytes);
            foreach (nint block in blocks.AsSpan(500))
            {
                var header = (BlockHeader*)block;
                Assert.False(new ReadOnlySpan<byte>(header->Data, header->Length).ContainsAnyExcept((byte)1));
                heap.Release(header);
            }

            Assert.Equal(0, heap.Bytes);
            BlockHeader* fresh = heap.Allocate(8192, 8192);
            Assert.False(new ReadOnlySpan<byte>(fresh->Data, 8192).ContainsAnyExcept((byte)0));
            heap.Release(fresh);
        }
    }

    private static unsafe BlockHeader* Touched(BlockHeap heap, int length)
    {
        BlockHeader* block = heap.Allocate(length, length);
        heap.Count(block, length);
        new Span<byte>(block->Data, length).Fill(1);
        return block;
    }

    private static void Work(StoreSession session, byte[][] keys, KeyReference[] references, int rounds)
    {
        var reader = new LengthReader();
        for (int round = 0; round < rounds; round++)
        {
            session.EnterBatch();
            foreach (byte[] key in keys)
            {
                ulong hash = session.Hash(key);
                session.PrefetchBucket(hash);
                session.Reads.PrefetchRecord(hash);
                RecordHandle handle = session.Open(key, hash);
                handle.Set(key.AsSpan(0, 1 + (round % 3)), round % 4 == 0 ? session.NowMs + 100_000 : -1);
                handle.Resize(20 + (round % 7 * 8)).Fill(1);
                session.EndCommand();
                session.Reads.Read(key, hash, RecordType.String, ref reader);
                session.EndCommand();
                references[0] = new KeyReference(0, hash);
                references[1] = new KeyReference(0, session.Hash(keys[0]));
                session.Latch(references);
                if (round % 5 == 0)
                {
                    RecordHandle gone = session.Open(key, hash);
                    gone.Delete();
                }

                session.EndCommand();
            }

            session.LeaveBatch();
        }
    }

    private struct LengthReader : IValueReader
    {
        public int Length;

        public void Read(ReadOnlySpan<byte> value, in RecordInfo info) => Length = value.Length;
    }
}
