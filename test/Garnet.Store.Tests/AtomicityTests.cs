// Several keys latched together, and operations under the barrier, are observed atomically.
using System.Text;
using Xunit;

namespace Garnet.Store.Tests;

public sealed class AtomicityTests
{
    private const int Rounds = 20_000;
    private static readonly byte[][] Keys = Enumerable.Range(0, 5).Select(i => Encoding.UTF8.GetBytes("part-" + i)).ToArray();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Multi_key_writes_are_atomic_for_readers(bool exclusive)
    {
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 16 }, new VirtualTime());
        int rounds = exclusive ? Rounds / 20 : Rounds;
        bool stop = false;
        Thread[] writers = Enumerable.Range(0, 2).Select(t => new Thread(() => Write(store, t, rounds, exclusive))).ToArray();
        var reader = new Thread(() =>
        {
            while (!Volatile.Read(ref stop))
                store.Maintenance.Run();
        });
        reader.Start();
        foreach (Thread writer in writers)
            writer.Start();

        int mixes = 0;
        using (var client = new StoreClient(store))
        {
            for (int i = 0; i < rounds; i++)
                mixes += ReadTogether(client.Session) ? 0 : 1;
        }

        foreach (Thread writer in writers)
            writer.Join();

        Volatile.Write(ref stop, true);
        reader.Join();
        Assert.Equal(0, mixes);
    }

    [Fact]
    public void The_index_grows_for_new_keys_latched_together_but_not_for_existing_ones()
    {
        const int keys = 20_000;
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 20 }, new VirtualTime());
        using StoreSession session = store.OpenSession();
        session.EnterBatch();
        KeyReference[] references =
        [
            .. Enumerable.Range(0, keys).Select(i => new KeyReference(0, session.Hash(Encoding.UTF8.GetBytes($"key:{i}")))),
        ];
        session.Latch(references);
        session.LeaveBatch();
        // No overflow chain would be longer than one bucket.
        long buckets = store.Index.Count;
        Assert.InRange(buckets, keys / 7, keys);
        using var client = new StoreClient(store);
        for (int i = 0; i < keys; i++)
            client.Set($"key:{i}", "v");

        buckets = store.Index.Count;
        session.EnterBatch();
        session.Latch(references.AsSpan(0, keys / 2));
        session.LeaveBatch();
        Assert.Equal(buckets, store.Index.Count);
    }

    [Fact]
    public void Very_many_keys_are_latched_together_while_the_index_grows()
    {
        const int keys = 20_000;
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 20 }, new VirtualTime());
        using StoreSession session = store.OpenSession();
        session.EnterBatch();
        KeyReference[] references =
        [
            .. Enumerable.Range(0, keys).Select(i => new KeyReference(0, session.Hash(Encoding.UTF8.GetBytes($"key:{i}")))),
        ];
        session.LeaveBatch();
        bool stop = false;
        var grower = new Thread(() =>
        {
            using var client = new StoreClient(store);
            for (int i = 0; i < 1_000_000 && !Volatile.Read(ref stop); i++)
            {
                client.Set($"other:{i}", "v");
                if (i % 100 == 0)
                    store.Maintenance.Run();
            }

            Volatile.Write(ref stop, true);
        });
        grower.Start();
        try
        {
            for (int round = 0; round < 500 && !Volatile.Read(ref stop); round++)
            {
                session.EnterBatch();
                session.Latch(references);
                session.LeaveBatch();
            }
        }
        finally
        {
            Volatile.Write(ref stop, true);
            grower.Join();
        }
    }

    [Fact]
    public void Latching_very_many_keys_to_read_or_remove_them_leaves_the_index_unchanged()
    {
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 20 }, new VirtualTime());
        using StoreSession session = store.OpenSession();
        long buckets = store.Index.Count;
        session.EnterBatch();
        session.Latch(
            [.. Enumerable.Range(0, 20_000).Select(i => new KeyReference(0, session.Hash(Encoding.UTF8.GetBytes($"key:{i}"))))],
            mayAdd: false
        );
        session.LeaveBatch();
        Assert.Equal(buckets, store.Index.Count);
    }

    [Theory]
    [InlineData(300, 200_000)]
    [InlineData(5_000, 50_000)]
    [InlineData(5_000, 0)]
    public void Of_very_many_latched_keys_each_is_held_and_no_other(int latched, int others)
    {
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 20 }, new VirtualTime());
        using var client = new StoreClient(store);
        for (int i = 0; i < others; i++)
            client.Set($"other:{i}", "v");

        using StoreSession session = store.OpenSession();
        // Some keys are repeated.
        ulong[] hashes = [.. Enumerable.Range(0, latched).Select(i => session.Hash(Encoding.UTF8.GetBytes($"key:{i * 9 / 10}")))];
        session.EnterBatch();
        session.Latch([.. hashes.Select(static hash => new KeyReference(0, hash))]);
        HashSet<long> buckets =
        [
            .. hashes.Select(hash => store.Index.Locate(store.Databases.Map.Salt(hash, store.Databases.Map.PhysicalOf(0)))),
        ];
        Assert.Equal(buckets.Count, session.Slot.Held!.Count);
        for (long bucket = 0; bucket < store.Index.Count + 200; bucket++)
            Assert.Equal(buckets.Contains(bucket), session.Slot.Held!.Holds(bucket));

        session.EndCommand();
        Assert.Equal(0, session.Slot.Held!.Count);
        Assert.All(
            buckets,
            bucket =>
            {
                Assert.True(store.Index.TryLatchBucket(bucket));
                store.Index.Release(bucket);
            }
        );
        session.LeaveBatch();
    }

    [Fact]
    public void Touching_a_key_that_was_not_latched_is_refused()
    {
        using var store = new HybridLogStore(new StoreOptions(), new VirtualTime());
        using StoreSession session = store.OpenSession();
        session.EnterBatch();
        _ = session.Open("a"u8, session.Hash("a"u8));
        for (int i = 0; ; i++)
        {
            // Another key may share the bucket by chance, but not many in a row.
            byte[] other = Encoding.UTF8.GetBytes("other" + i);
            try
            {
                _ = session.Open(other, session.Hash(other));
                Assert.True(i < 50);
            }
            catch (InvalidOperationException)
            {
                break;
            }
        }

        session.LeaveBatch();
    }

    [Fact]
    public void Running_alone_needs_no_latches_and_nests()
    {
        using var store = new HybridLogStore(new StoreOptions(), new VirtualTime());
        using StoreSession session = store.OpenSession();
        session.EnterBatch();
        session.BeginExclusive();
        session.RunExclusive(() =>
        {
            foreach (byte[] key in Keys)
            {
                RecordHandle handle = session.Open(key, session.Hash(key));
                handle.Set("x"u8);
            }
        });
        Assert.True(session.Barrier.IsExclusive);
        Assert.True(session.Reads.Exists(Keys[3], session.Hash(Keys[3])));
        session.EndExclusive();
        Assert.False(session.Barrier.IsExclusive);
        session.LeaveBatch();
        Assert.Equal(5, store.Databases.KeyCount(0));
    }

    [Fact]
    public void The_same_key_may_be_latched_and_opened_twice()
    {
        using var store = new HybridLogStore(new StoreOptions(), new VirtualTime());
        using var client = new StoreClient(store);
        StoreSession session = client.Session;
        session.EnterBatch();
        session.Latch([new KeyReference(0, session.Hash("k"u8)), new KeyReference(0, session.Hash("k"u8))]);
        RecordHandle first = session.Open("k"u8, session.Hash("k"u8));
        RecordHandle second = session.Open("k"u8, session.Hash("k"u8));
        first.Set("short"u8);
        second.Set(new byte[500]);
        first.Set("last"u8);
        Assert.True(second.Delete());
        first.Set("again"u8);
        session.LeaveBatch();
        Assert.Equal("again", client.Get("k"));
        Assert.Equal(1, store.Databases.KeyCount(0));
    }

    private static void Write(HybridLogStore store, int writer, int rounds, bool exclusive)
    {
        using StoreSession session = store.OpenSession();
        KeyReference[] references = Keys.Select(key => new KeyReference(0, session.Hash(key))).ToArray();
        for (int round = 0; round < rounds; round++)
        {
            // Different lengths, so that records also move.
            byte[] value = Encoding.UTF8.GetBytes($"{writer}-{round}-" + new string('x', round % 40));
            session.EnterBatch();
            if (exclusive)
                session.BeginExclusive();
            else
                session.Latch(references);

            foreach (byte[] key in Keys)
            {
                RecordHandle handle = session.Open(key, session.Hash(key));
                handle.Set(value);
            }

            session.EndCommand();
            if (exclusive)
                session.EndExclusive();

            session.LeaveBatch();
        }
    }

    private static bool ReadTogether(StoreSession session)
    {
        session.EnterBatch();
        session.Latch(Keys.Select(key => new KeyReference(0, session.Hash(key))).ToArray());
        byte[]? first = null;
        bool isWhole = true;
        foreach (byte[] key in Keys)
        {
            var reader = new StoreClient.CopyingReader();
            ReadOutcome outcome = session.Reads.Read(key, session.Hash(key), RecordType.String, ref reader);
            byte[] value = outcome == ReadOutcome.Found ? reader.Value : [];
            first ??= value;
            isWhole &= value.AsSpan().SequenceEqual(first);
        }

        session.LeaveBatch();
        return isWhole;
    }
}
