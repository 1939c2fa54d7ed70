// The pool of images: correct under a concurrent history, bounded, and never a reason for the log to grow.
using System.Text;
using Garnet.Store.Snapshots;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Store.Tests;

public sealed class SnapshotBufferTests(ITestOutputHelper output)
{
    [Fact]
    public void A_snapshot_during_a_concurrent_history_equals_the_model_at_its_version_change()
    {
        int seed = TestSeed.ChooseAnew(output);
        var random = new Random(seed);
        var time = new VirtualTime();
        using var store = new HybridLogStore(
            new StoreOptions
            {
                PageSizeBits = 16,
                BlockThresholdBytes = 2048,
                Databases = SnapshotHistory.Databases,
            },
            time
        );
        const int writers = 3;
        var history = new SnapshotHistory(store, time, seed, writers, keysPerThread: 1500);
        Thread[] threads = [.. Enumerable.Range(0, writers).Select(i => new Thread(() => history.Run(i)))];
        foreach (Thread thread in threads)
            thread.Start();

        store.Maintenance.Start();
        using (StoreSession session = store.OpenSession())
        {
            for (int round = 0; round < 40; round++)
            {
                Thread.Sleep(random.Next(10));
                TakeAndCompare(store, session, history, random, isAborted: round % 5 == 3);
            }
        }

        history.Stop();
        foreach (Thread thread in threads)
            thread.Join();
    }

    [Fact]
    public void Writes_in_place_do_not_make_the_log_grow_while_a_snapshot_is_taken()
    {
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 16 }, new VirtualTime());
        using var client = new StoreClient(store);
        const int keys = 5000;
        for (int i = 0; i < keys; i++)
            client.Set("key" + i, "value" + i.ToString("D8", null) + new string('x', 100));

        long pages = store.Log.PagesInUse;
        long high = store.Log.HighPage;
        long live = store.Statistics.LiveRecordBytes;
        long dead = store.Statistics.DeadRecordBytes;
        using var buffer = new SnapshotBuffer(store, 64L << 20);
        store.Snapshots.Begin(client.Session, buffer);
        for (int round = 0; round < 3; round++)
        {
            for (int i = 0; i < keys; i++)
                client.Set("key" + i, "other" + round + i.ToString("D7", null) + new string('y', 100));
        }

        Assert.Equal(pages, store.Log.PagesInUse);
        Assert.Equal(high, store.Log.HighPage);
        Assert.Equal(live, store.Statistics.LiveRecordBytes);
        Assert.Equal(dead, store.Statistics.DeadRecordBytes);
        store.Snapshots.End(client.Session);
        buffer.Close();
        int images = 0;
        while (buffer.TryTake(out SnapshotChunk chunk))
        {
            while (chunk.MoveNext())
            {
                Assert.StartsWith("value", Encoding.Latin1.GetString(chunk.Current.Value), StringComparison.Ordinal);
                images++;
            }

            chunk.Return();
        }

        Assert.Equal(keys, images);
    }

    [Fact]
    public void A_full_pool_blocks_writers_until_images_are_taken_out()
    {
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 20 }, new VirtualTime());
        using var client = new StoreClient(store);
        byte[] value = new byte[4000];
        for (int i = 0; i < 200; i++)
            client.SetBytes(Encoding.Latin1.GetBytes("key" + i), value);

        using var buffer = new SnapshotBuffer(store, limitBytes: 0);
        store.Snapshots.Begin(client.Session, buffer);
        Assert.False(client.Session.Store.Snapshots.MustWait(0));
        int written = 0;
        while (!client.Session.Store.Snapshots.MustWait(0))
            client.SetBytes(Encoding.Latin1.GetBytes("key" + written++), value);

        Assert.InRange(written, 4 * (SnapshotBuffer.ChunkBytes / 4100) - 10, 4 * (SnapshotBuffer.ChunkBytes / 4000) + 10);
        Task room = client.Session.Store.Snapshots.WaitAsync();
        buffer.ReleaseWaiters();
        Assert.False(room.IsCompleted);

        // A command that was admitted is never refused memory under its latches.
        client.SetBytes(Encoding.Latin1.GetBytes("key" + written++), value);
        while (buffer.TryTake(out SnapshotChunk chunk))
            chunk.Return();

        buffer.ReleaseWaiters();
        Assert.True(room.IsCompleted);
        Assert.False(client.Session.Store.Snapshots.MustWait(0));
        Assert.False(buffer.HasOverrun);
        store.Snapshots.End(client.Session);
        Assert.False(client.Session.Store.Snapshots.MustWait(0));
    }

    [Fact]
    public void Blocks_of_images_are_freed_when_the_images_are_taken_out()
    {
        using var store = new HybridLogStore(new StoreOptions(), new VirtualTime());
        using var client = new StoreClient(store);
        byte[] old = Encoding.Latin1.GetBytes(new string('o', 100_000));
        client.SetBytes("a"u8.ToArray(), old);
        client.SetBytes("b"u8.ToArray(), old);
        long before = store.Statistics.BlockBytes;
        using (var buffer = new SnapshotBuffer(store, 16L << 20))
        {
            store.Snapshots.Begin(client.Session, buffer);
            client.Append("a"u8.ToArray(), "more"u8.ToArray());
            client.Delete("b");
            store.Snapshots.End(client.Session);
            buffer.Close();
            Assert.True(buffer.TryTake(out SnapshotChunk chunk));
            Assert.True(chunk.MoveNext());
            Assert.True(chunk.Current.IsBlock);
            Assert.Equal(old, chunk.Current.Value.ToArray());
            Assert.Equal(100_004, client.GetBytes("a"u8.ToArray())!.Length);
            chunk.Return();
        }

        Assert.Equal(1, store.Blocks.LiveBlocks);
        Assert.True(store.Statistics.BlockBytes <= before + 200_000);
    }

    // Otherwise threads waiting for this space would wait for more images, which are not added before there is space.
    [Theory]
    [InlineData(2_000_000, 1)]
    [InlineData(20_000, 100)]
    public void A_large_image_can_be_taken_out_of_a_chunk_that_is_not_full(int bytes, int blocks)
    {
        using var store = new HybridLogStore(new StoreOptions(), new VirtualTime());
        using var client = new StoreClient(store);
        for (int i = 0; i < blocks; i++)
            client.SetBytes(Encoding.Latin1.GetBytes("key" + i), new byte[bytes]);

        using var buffer = new SnapshotBuffer(store, limitBytes: 0);
        store.Snapshots.Begin(client.Session, buffer);
        for (int i = 0; i < blocks; i++)
        {
            client.Append(Encoding.Latin1.GetBytes("key" + i), "more"u8.ToArray());
            while (!buffer.HasSpace(0) || !buffer.HasSpaceToWalk)
            {
                Assert.True(buffer.TryTake(out SnapshotChunk chunk));
                chunk.Return();
            }
        }

        store.Snapshots.End(client.Session);
    }

    private static void TakeAndCompare(HybridLogStore store, StoreSession session, SnapshotHistory history, Random random, bool isAborted)
    {
        Dictionary<string, SnapshotHistory.Entry> expected = [];
        long flippedAtMs = 0;
        using var buffer = new SnapshotBuffer(store, 256L << 20);
        store.Snapshots.Begin(
            session,
            buffer,
            () =>
            {
                expected = history.Copy();
                flippedAtMs = session.NowMs;
            }
        );
        var images = new Dictionary<string, SnapshotHistory.Entry>();
        var cursor = default(SnapshotCursor);
        bool isWalking = true;
        while (isWalking && !(isAborted && images.Count > 100))
        {
            session.EnterBatch();
            isWalking = store.Snapshots.Walk(session, ref cursor, 1 + random.Next(200));
            session.LeaveBatch();
            Take(buffer, images);
        }

        store.Snapshots.End(session);
        buffer.Close();
        Take(buffer, images);
        Assert.False(buffer.HasOverrun);
        foreach ((string name, SnapshotHistory.Entry entry) in images)
        {
            Assert.True(expected.TryGetValue(name, out SnapshotHistory.Entry wanted), $"{name} was not there at the flip.");
            Assert.Equal(wanted, entry);
        }

        foreach ((string name, SnapshotHistory.Entry entry) in expected)
        {
            bool mayExpire = entry.ExpiresAtMs >= 0 && entry.ExpiresAtMs < flippedAtMs + 10_000_000;
            Assert.True(isAborted || mayExpire || images.ContainsKey(name), $"{name} is missing.");
        }
    }

    private static void Take(SnapshotBuffer buffer, Dictionary<string, SnapshotHistory.Entry> images)
    {
        while (buffer.TryTake(out SnapshotChunk chunk))
        {
            while (chunk.MoveNext())
            {
                SavedImage image = chunk.Current;
                string name = SnapshotHistory.NameOf(image.Database, image.Key);
                Assert.True(
                    images.TryAdd(name, new SnapshotHistory.Entry(Encoding.Latin1.GetString(image.Value), image.Info.ExpiresAtMs)),
                    $"{name} came twice."
                );
            }

            chunk.Return();
        }
    }
}
