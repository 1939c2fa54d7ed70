// Large collections with several writers, while snapshots are taken and read on another thread: each image is consistent.
using System.Text;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Hashes;
using Garnet.Store.Collections.Sets;
using Garnet.Store.Collections.SortedSets;
using Garnet.Store.Snapshots;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Store.Tests.Collections;

public sealed class ConcurrentCollectionTests(ITestOutputHelper output)
{
    private const int Keys = 6;
    private const int Members = 3000;
    private const int Snapshots = 12;

    [Fact]
    public void Each_image_of_a_collection_has_the_same_number_of_members()
    {
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 16 }, TimeProvider.System);
        using (var client = new CollectionClient(store))
        {
            for (int key = 0; key < Keys; key++)
            {
                for (int i = 0; i < Members; i++)
                    Change(client.Open(KeyOf(key)), key, i, adds: true);
            }

            client.EndCommand();
        }

        bool stop = false;
        var failures = new List<string>();
        Thread[] writers = Enumerable.Range(0, 2).Select(number => new Thread(() => Write(store, number, failures, ref stop))).ToArray();
        var maintenance = new Thread(() =>
        {
            while (!Volatile.Read(ref stop))
                store.Maintenance.Run();
        });
        foreach (Thread thread in writers)
            thread.Start();

        maintenance.Start();
        int images = 0;
        for (int round = 0; round < Snapshots; round++)
            images += TakeSnapshot(store, failures);

        Volatile.Write(ref stop, true);
        maintenance.Join();
        foreach (Thread thread in writers)
            thread.Join();

        output.WriteLine($"{images} images");
        Assert.Empty(failures);
        Assert.Equal(Snapshots * Keys, images);
        using StoreSession session = store.OpenSession();
        store.Databases.FlushAll(session);

        // What is dropped in one round is freed in the next.
        for (int round = 0; round < 20 || store.Maintenance.Run(); round++)
            store.Maintenance.Run();

        Assert.Equal(0, store.Trees.Heap.LiveNodes);
    }

    private static byte[] KeyOf(int key) => Encoding.ASCII.GetBytes("key" + key);

    private static void Change(RecordHandle record, int key, int number, bool adds)
    {
        byte[] member = Encoding.ASCII.GetBytes("member" + number);
        switch (key % 3)
        {
            case 0:
                var set = new SetValue(record);
                _ = adds ? set.Add(member) : set.Remove(member);
                break;
            case 1:
                var zset = new SortedSetValue(record);
                _ = adds ? zset.Set(member, number % 1000, out _) : zset.Remove(member);
                break;
            default:
                var hash = new HashValue(record);
                _ = adds ? hash.Set(member, member) : hash.Remove(member);
                break;
        }
    }

    // Each command removes one member and adds another.
    private static void Write(HybridLogStore store, int number, List<string> failures, ref bool stop)
    {
        using StoreSession session = store.OpenSession();
        var random = new Random(number);
        int[] first = new int[Keys];
        try
        {
            while (!Volatile.Read(ref stop))
            {
                session.EnterBatch();
                int key = (random.Next(Keys / 2) * 2) + number;
                byte[] name = KeyOf(key);
                Change(session.Open(name, session.Hash(name)), key, first[key], adds: false);
                Change(session.Open(name, session.Hash(name)), key, first[key] + Members, adds: true);
                first[key]++;
                session.LeaveBatch();
            }
        }
        catch (InvalidOperationException failure)
        {
            lock (failures)
                failures.Add(failure.ToString());
        }
    }

    private static int TakeSnapshot(HybridLogStore store, List<string> failures)
    {
        using var buffer = new SnapshotBuffer(store, 1 << 20);
        using StoreSession walker = store.OpenSession();
        store.Snapshots.Begin(walker, buffer);
        var cursor = default(SnapshotCursor);
        bool isDue = true;
        while (isDue)
        {
            walker.EnterBatch();
            isDue = store.Snapshots.Walk(walker, ref cursor, 2);
            walker.LeaveBatch();
            Thread.Yield();
        }

        store.Snapshots.End(walker);
        buffer.Close();
        int images = 0;
        while (buffer.TryTake(out SnapshotChunk chunk))
        {
            while (chunk.MoveNext())
            {
                CollectionImage image = chunk.Current.OpenCollection();
                var seen = new HashSet<string>();
                while (image.MoveNext())
                    seen.Add(Encoding.ASCII.GetString(image.First.Span));

                images++;
                if (seen.Count != Members || image.Count != Members)
                {
                    lock (failures)
                        failures.Add($"{Encoding.ASCII.GetString(chunk.Current.Key)}: {seen.Count} of {image.Count}");
                }
            }

            chunk.Return();
        }

        return images;
    }
}
