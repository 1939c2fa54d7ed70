// Collections allocate no managed memory in steady state, their memory is counted, and removing one takes constant time.
using System.Text;
using Garnet.Store.Collections.Hashes;
using Garnet.Store.Collections.Lists;
using Garnet.Store.Collections.Sets;
using Garnet.Store.Collections.SortedSets;
using Garnet.Store.Collections.Streams;
using Xunit;

namespace Garnet.Store.Tests.Collections;

public sealed class CollectionMemoryTests
{
    [Theory]
    [InlineData(10)]
    [InlineData(5000)]
    public void Reads_and_changes_allocate_nothing_managed(int size)
    {
        using var store = new HybridLogStore(new StoreOptions(), TimeProvider.System);
        using StoreSession session = store.OpenSession();
        byte[][] elements = Enumerable
            .Range(0, size)
            .Select(i => Encoding.ASCII.GetBytes(i % 3 == 0 ? i.ToString() : "element" + i))
            .ToArray();
        session.EnterBatch();
        for (int i = 0; i < 5 + (500 / elements.Length); i++)
        {
            // With records of ever new sizes, the free lists grow for a while.
            Work(session, elements);
        }

        long before = GC.GetAllocatedBytesForCurrentThread();
        Work(session, elements);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        session.LeaveBatch();
    }

    [Fact]
    public void Small_hashes_take_little()
    {
        using var store = new HybridLogStore(new StoreOptions(), new VirtualTime());
        using var client = new CollectionClient(store);
        const int hashes = 20_000;
        for (int i = 0; i < hashes; i++)
        {
            var hash = new HashValue(client.Open(Encoding.ASCII.GetBytes("hash:" + (100_000 + i))));
            for (int field = 0; field < 10; field++)
                hash.Set(Encoding.ASCII.GetBytes("field" + field), Encoding.ASCII.GetBytes("value" + (100_000 + i + field)));
        }

        client.EndCommand();

        // Valkey's MEMORY USAGE reports 256 bytes for such a hash, to which its entry in the key table adds about ten bytes.
        Assert.InRange((store.Statistics.LiveRecordBytes + store.Statistics.IndexBytes) / (double)hashes, 150, (256 + 10) * 0.9);
    }

    [Theory]
    [InlineData(3)]
    [InlineData(10)]
    [InlineData(80)]
    public void A_presized_hash_is_created_in_its_final_place(int fields)
    {
        using var store = new HybridLogStore(new StoreOptions(), new VirtualTime());
        using var client = new CollectionClient(store);
        byte[][] words = [.. Enumerable.Range(0, fields * 2).Select(i => Encoding.ASCII.GetBytes(i % 3 == 0 ? "field" + i : i.ToString()))];
        int bytes = words.Sum(word => HashValue.SizeOf(word));
        var hash = new HashValue(client.Open("key"u8.ToArray()));
        hash.Expect(fields, bytes);
        for (int i = 0; i < words.Length; i += 2)
            Assert.True(hash.Set(words[i], words[i + 1]));

        Assert.Equal(fields, hash.Length);
        client.EndCommand();
        const int header = 8;
        const int key = 3;
        const int form = 4;
        Assert.InRange(store.Statistics.LiveRecordBytes, header + key + form + bytes, header + key + form + bytes + 7);
        Assert.Equal(0, store.Statistics.DeadRecordBytes);
    }

    [Fact]
    public void Large_collections_are_counted_and_dropped_at_once()
    {
        using var store = new HybridLogStore(new StoreOptions(), new VirtualTime());
        using var client = new CollectionClient(store);
        byte[] key = "large"u8.ToArray();
        var set = new SetValue(client.Open(key));
        for (int i = 0; i < 200_000; i++)
            set.Add(Encoding.ASCII.GetBytes("member:" + i));

        Assert.InRange(set.Record.Contents.MemoryBytes, 200_000 * 13, 200_000 * 26);
        Assert.True(store.Statistics.TreeBytes >= set.Record.Contents.MemoryBytes / 2);
        long nodes = store.Trees.Heap.LiveNodes;
        Assert.True(client.Open(key).Delete());
        Assert.True(store.Trees.Heap.LiveNodes > nodes - 200);
        client.Outside(() =>
        {
            while (store.Maintenance.Run()) { }
        });
        Assert.Equal(0, store.Trees.Heap.LiveNodes);
        Assert.True(store.Statistics.AllocatedBytes < 20 << 20, $"{store.Statistics.AllocatedBytes}");
    }

    private static void Work(StoreSession session, byte[][] elements)
    {
        for (int i = 0; i < elements.Length; i++)
        {
            byte[] element = elements[i];
            var hash = new HashValue(session.Open("h"u8, session.Hash("h"u8)));
            hash.Set(element, elements[^(i + 1)]);
            hash.TryGet(element, out _);
            session.EndCommand();
            var set = new SetValue(session.Open("s"u8, session.Hash("s"u8)));
            set.Add(element);
            foreach (ReadOnlySpan<byte> member in set.Sample(3, isDistinct: true))
                _ = member.Length;

            session.EndCommand();
            var zset = new SortedSetValue(session.Open("z"u8, session.Hash("z"u8)));
            zset.Set(element, (i * 17) % 5, out _);
            foreach (ScoredMember member in zset.Range(zset.Length - 1, 5, isReverse: true))
                _ = member.Member.Length;

            session.EndCommand();
            var list = new ListValue(session.Open("l"u8, session.Hash("l"u8)));
            list.Expect(1, element.Length);
            list.PushFirst(element);
            _ = list.At(list.Length / 2).Length;
            session.EndCommand();
            var stream = new StreamValue(session.Open("x"u8, session.Hash("x"u8)));
            stream.BeginEntry();
            stream.AddField("field"u8, element);
            stream.EndEntry(new StreamId(stream.View.LastId.Milliseconds + 1, 0));
            session.EndCommand();
        }

        Empty(session, elements);
    }

    private static void Empty(StoreSession session, byte[][] elements)
    {
        foreach (byte[] element in elements)
        {
            var hash = new HashValue(session.Open("h"u8, session.Hash("h"u8)));
            hash.Remove(element);
            session.EndCommand();
            var set = new SetValue(session.Open("s"u8, session.Hash("s"u8)));
            set.TryPop(out _);
            session.EndCommand();
            var zset = new SortedSetValue(session.Open("z"u8, session.Hash("z"u8)));
            zset.Remove(element);
            session.EndCommand();
            var list = new ListValue(session.Open("l"u8, session.Hash("l"u8)));
            list.RemoveRange(list.Length - 1, 1);
            session.EndCommand();
        }

        var stream = new StreamValue(session.Open("x"u8, session.Hash("x"u8)));
        stream.TrimToLength(elements.Length / 2, isApproximate: false);
        session.EndCommand();
    }
}
