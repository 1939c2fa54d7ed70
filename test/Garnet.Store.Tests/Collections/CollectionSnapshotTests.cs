// A snapshot contains each collection as it was at the snapshot's version change, even if it is changed, moved or removed meanwhile.
using System.Text;
using Garnet.Store.Collections.Hashes;
using Garnet.Store.Collections.Lists;
using Garnet.Store.Collections.Sets;
using Garnet.Store.Collections.SortedSets;
using Garnet.Store.Snapshots;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Store.Tests.Collections;

public sealed class CollectionSnapshotTests(ITestOutputHelper output)
{
    private static readonly RecordType[] Types = [RecordType.List, RecordType.Set, RecordType.SortedSet, RecordType.Hash];

    [Fact]
    public void A_snapshot_contains_collections_as_of_its_version_change()
    {
        int seed = TestSeed.ChooseAnew(output);
        var random = new Random(seed);
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 16, BlockThresholdBytes = 2048 }, new VirtualTime());
        using var client = new CollectionClient(store);
        using StoreSession walker = store.OpenSession();
        int snapshots = 0;
        for (int round = 0; round < 8; round++)
        {
            for (int i = 0; i < 3000; i++)
                Step(client, store, random);

            Dictionary<string, string> expected = ReadAll(client);
            var sink = new ImageSink(store);
            client.Outside(() => store.Snapshots.Begin(walker, sink));
            var cursor = default(SnapshotCursor);
            bool isDone = false;
            while (!isDone)
            {
                for (int i = 0; i < 40; i++)
                    Step(client, store, random);

                client.EndCommand();
                walker.EnterBatch();
                isDone = !store.Snapshots.Walk(walker, ref cursor, records: 5);
                walker.LeaveBatch();
            }

            client.Outside(() => store.Snapshots.End(walker));
            for (int i = 0; i < 500; i++)
                Step(client, store, random);

            sink.Read();
            snapshots += sink.Snapshots;
            Assert.False(sink.HasRepeated);
            Assert.Equal(
                expected.OrderBy(pair => pair.Key, StringComparer.Ordinal),
                sink.Images.OrderBy(pair => pair.Key, StringComparer.Ordinal)
            );
        }

        Assert.True(snapshots > 20);
        for (int i = 0; i < 60; i++)
            client.Open(Encoding.ASCII.GetBytes("key" + i)).Delete();

        client.Outside(() =>
        {
            while (store.Maintenance.Run()) { }
        });
        Assert.Equal(0, store.Trees.Heap.LiveNodes);
        Assert.Equal(0, store.Blocks.LiveBlocks);
    }

    private static void Step(CollectionClient client, HybridLogStore store, Random random)
    {
        int number = random.Next(60);
        byte[] key = Encoding.ASCII.GetBytes("key" + number);
        byte[] element = CollectionClient.RandomElement(random, number < 20 ? 4000 : 30);
        RecordHandle record = client.Open(key);
        bool adds = random.Next(5) < (number < 20 ? 4 : 3);
        switch (random.Next(200))
        {
            case 0:
                client.Outside(() => store.Maintenance.Run());
                return;
            case 1:
                record.Delete();
                return;
            case 2:
                Transfer(client, key, Encoding.ASCII.GetBytes("key" + (((number + 4) % 60) & ~3 | (number & 3))), random.Next(2) == 0);
                return;
        }

        switch (Types[number & 3])
        {
            case RecordType.List:
                var list = new ListValue(record);
                if (adds)
                {
                    list.Expect(1, element.Length);
                    list.PushFirst(element);
                }
                else if (list.Exists)
                {
                    list.RemoveRange(list.Length - 1, 1);
                }

                break;
            case RecordType.Set:
                var set = new SetValue(record);
                _ = adds ? set.Add(element) : set.Remove(element);
                break;
            case RecordType.SortedSet:
                var zset = new SortedSetValue(record);
                _ = adds ? zset.Set(element, random.Next(10), out _) : zset.Remove(element);
                break;
            default:
                var hash = new HashValue(record);
                _ = adds ? hash.Set(element, CollectionClient.RandomElement(random, 1000)) : hash.Remove(element);
                break;
        }
    }

    private static void Transfer(CollectionClient client, byte[] from, byte[] to, bool moves)
    {
        if (from.AsSpan().SequenceEqual(to))
            return;

        client.EndCommand();
        client.Session.Latch([new KeyReference(0, client.Session.Hash(from)), new KeyReference(0, client.Session.Hash(to))]);
        RecordHandle source = client.Session.Open(from, client.Session.Hash(from));
        RecordHandle target = client.Session.Open(to, client.Session.Hash(to));
        if (source.Exists && moves)
            source.MoveTo(ref target);
        else if (source.Exists)
            source.CopyTo(ref target);
    }

    private static Dictionary<string, string> ReadAll(CollectionClient client)
    {
        var all = new Dictionary<string, string>();
        for (int i = 0; i < 60; i++)
        {
            RecordHandle record = client.Open(Encoding.ASCII.GetBytes("key" + i));
            if (record.Exists)
            {
                Assert.Equal(Types[i & 3], record.Type);
                all["key" + i] = ImageSink.TextOf(record.Contents.OpenCollection());
            }
        }

        client.EndCommand();
        return all;
    }
}
