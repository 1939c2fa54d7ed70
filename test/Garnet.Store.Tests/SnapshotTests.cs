// A snapshot contains exactly the keys of one point in time, whatever is written, compacted, expired, split or flushed meanwhile.
using System.Collections.Concurrent;
using System.Text;
using Garnet.Store.Snapshots;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Store.Tests;

public sealed class SnapshotTests(ITestOutputHelper output)
{
    [Fact]
    public void A_snapshot_is_one_exact_point_in_time()
    {
        int seed = TestSeed.ChooseAnew(output);
        var random = new Random(seed);
        var time = new VirtualTime();
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 16, BlockThresholdBytes = 2048 }, time);
        using var client = new StoreClient(store);
        var model = new Dictionary<string, string>();
        using StoreSession walker = store.OpenSession();
        for (int round = 0; round < 12; round++)
        {
            for (int i = 0; i < 3000; i++)
                Step(client, store, random, time, model);

            var expected = new Dictionary<string, string>(model);
            var sink = new CollectingSink();
            store.Snapshots.Begin(walker, sink);
            var cursor = default(SnapshotCursor);
            bool isAborted = round % 4 == 1;
            bool isDone = false;
            while (!isDone && !(isAborted && sink.Images.Count > 500))
            {
                for (int i = 0; i < 40; i++)
                    Step(client, store, random, time, model);

                walker.EnterBatch();
                isDone = !store.Snapshots.Walk(walker, ref cursor, records: 50);
                walker.LeaveBatch();
            }

            store.Snapshots.End(walker);
            Assert.False(sink.HasRepeated);
            if (!isAborted)
            {
                Assert.Equal(
                    expected.OrderBy(pair => pair.Key, StringComparer.Ordinal),
                    sink.Images.OrderBy(pair => pair.Key, StringComparer.Ordinal)
                );
            }
        }
    }

    [Fact]
    public void Versions_may_wrap_after_many_aborted_snapshots()
    {
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 16 }, new VirtualTime());
        using var client = new StoreClient(store);
        for (int i = 0; i < 300; i++)
            client.Set("key" + i, "value" + i);

        for (int round = 0; round < 600; round++)
        {
            store.Snapshots.Begin(client.Session, new CollectingSink());
            client.Set("key" + (round % 100), "changed" + round);
            store.Snapshots.End(client.Session);
        }

        var sink = new CollectingSink();
        store.Snapshots.Begin(client.Session, sink);
        var cursor = default(SnapshotCursor);
        client.Session.EnterBatch();
        while (store.Snapshots.Walk(client.Session, ref cursor, 64)) { }

        client.Session.LeaveBatch();
        store.Snapshots.End(client.Session);
        Assert.Equal(300, sink.Images.Count);
        Assert.False(sink.HasRepeated);
    }

    [Fact]
    public void A_snapshot_taken_under_concurrent_writers_holds_whole_transactions()
    {
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 16 }, new VirtualTime());
        const int pairs = 500;
        bool stop = false;
        Thread[] writers = Enumerable
            .Range(0, 2)
            .Select(t => new Thread(() =>
            {
                using StoreSession session = store.OpenSession();
                var random = new Random(t);
                for (long i = 0; !Volatile.Read(ref stop); i++)
                {
                    int pair = random.Next(pairs);
                    byte[] a = Encoding.UTF8.GetBytes("a" + pair);
                    byte[] b = Encoding.UTF8.GetBytes("b" + pair);
                    byte[] value = Encoding.UTF8.GetBytes($"{t}-{i}-" + new string('x', random.Next(60)));
                    session.EnterBatch();
                    session.Latch([new KeyReference(0, session.Hash(a)), new KeyReference(0, session.Hash(b))]);
                    RecordHandle first = session.Open(a, session.Hash(a));
                    first.Set(value);
                    RecordHandle second = session.Open(b, session.Hash(b));
                    second.Set(value);
                    session.LeaveBatch();
                }
            }))
            .ToArray();
        var cleaner = new Thread(() =>
        {
            while (!Volatile.Read(ref stop))
                store.Maintenance.Run();
        });
        cleaner.Start();
        foreach (Thread writer in writers)
            writer.Start();

        var failures = new List<string>();
        using (StoreSession walker = store.OpenSession())
        {
            for (int round = 0; round < 30; round++)
            {
                var sink = new CollectingSink();
                store.Snapshots.Begin(walker, sink);
                var cursor = default(SnapshotCursor);
                walker.EnterBatch();
                while (store.Snapshots.Walk(walker, ref cursor, 100))
                    walker.EndCommand();

                walker.LeaveBatch();
                store.Snapshots.End(walker);
                for (int pair = 0; pair < pairs; pair++)
                {
                    bool hasA = sink.Images.TryGetValue("0/a" + pair, out string? a);
                    bool hasB = sink.Images.TryGetValue("0/b" + pair, out string? b);
                    if (hasA != hasB || a != b || sink.HasRepeated)
                        failures.Add($"round {round} pair {pair}: {a} / {b}, repeated {sink.HasRepeated}");
                }
            }
        }

        Volatile.Write(ref stop, true);
        foreach (Thread writer in writers)
            writer.Join();

        cleaner.Join();
        Assert.Empty(failures);
    }

    private static void Step(StoreClient client, HybridLogStore store, Random random, VirtualTime time, Dictionary<string, string> model)
    {
        int database = random.Next(20) == 0 ? 1 : 0;
        string key = "key" + random.Next(4000);
        string name = $"{database}/{key}";
        switch (random.Next(30))
        {
            case 0:
                store.Maintenance.Run();
                break;
            case 1:
                if (random.Next(100) == 0)
                {
                    store.Databases.Swap(client.Session, 0, 1);
                    var swapped = model.ToDictionary(pair => (char)('0' + '1' - pair.Key[0]) + pair.Key[1..], pair => pair.Value);
                    model.Clear();
                    foreach ((string k, string v) in swapped)
                        model[k] = v;
                }

                break;
            case 2:
                if (random.Next(300) == 0)
                {
                    store.Databases.Flush(client.Session, 1);
                    foreach (string gone in model.Keys.Where(k => k[0] == '1').ToList())
                        model.Remove(gone);
                }

                break;
            case < 12:
                client.Delete(key, database);
                model.Remove(name);
                break;
            case < 15:
                // Expires at once, but may be removed only much later.
                client.Set(key, "expiring", time.NowMs, database);
                time.Advance(1);
                model.Remove(name);
                break;
            default:
                string value = random.Next() + new string('v', random.Next(30) == 0 ? random.Next(5000) : random.Next(100));
                client.Set(key, value, -1, database);
                model[name] = value;
                break;
        }
    }

    private sealed class CollectingSink : ISnapshotSink
    {
        private readonly ConcurrentDictionary<string, string> _images = new();
        private volatile bool _hasRepeated;

        public ConcurrentDictionary<string, string> Images => _images;

        public bool HasRepeated => _hasRepeated;

        public void OnFirstWrite(in SnapshotImage image) => Add(image);

        public void OnWalk(in SnapshotImage image) => Add(image);

        public bool HasSpace(long bytes) => true;

        public Task WaitForSpaceAsync() => Task.CompletedTask;

        private void Add(in SnapshotImage image)
        {
            // Images may include expired records; in this test no other records have an expiry.
            if (
                image.Info.ExpiresAtMs < 0
                && !_images.TryAdd($"{image.Database}/{Encoding.UTF8.GetString(image.Key)}", Encoding.UTF8.GetString(image.Value))
            )
            {
                _hasRepeated = true;
            }
        }
    }
}
