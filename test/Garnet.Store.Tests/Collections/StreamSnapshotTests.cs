// Snapshots of streams stay as of the version change, with groups and pending entries, while the streams are changed and removed.
using System.Text;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Hashes;
using Garnet.Store.Collections.Streams;
using Garnet.Store.Collections.Trees;
using Garnet.Store.Snapshots;
using Xunit;

namespace Garnet.Store.Tests.Collections;

public sealed class StreamSnapshotTests
{
    // Stored outside of its leaf.
    private static readonly byte[] LongName = Encoding.ASCII.GetBytes(new string('n', 1500));

    [Fact]
    public unsafe void A_picture_of_a_stream_holds_entries_groups_and_what_was_pending()
    {
        using var store = new HybridLogStore(new StoreOptions(), new VirtualTime());
        using var client = new CollectionClient(store);
        using StoreSession walker = store.OpenSession();
        for (int i = 0; i < 20; i++)
        {
            for (ulong id = 1; id <= 350; id++)
                Append(client, i, id);

            var stream = new StreamValue(client.Open(KeyOf(i)));
            stream.CreateGroup("g"u8, StreamId.Max, 3, out long number);
            stream.CreateConsumer(number, "c"u8, 1, out long consumer);
            stream.CreateConsumer(number, LongName, 1, out long other);
            for (ulong id = 1; id <= 100; id++)
                stream.SetPending(number, id % 2 == 0 ? consumer : other, new StreamId(id, 0), 7, 1);
        }

        var expected = Enumerable.Range(0, 20).Select(i => TextOf(client.Open(KeyOf(i)).Contents.OpenStream())).ToList();
        for (int round = 0; round < 2; round++)
        {
            var sink = new SnapshotSink(store);
            client.Outside(() => store.Snapshots.Begin(walker, sink));
            for (int i = 0; i < 10; i++)
            {
                Append(client, i, (ulong)(1000 + (2 * round)));
                Append(client, i, (ulong)(1001 + (2 * round)));
                var stream = new StreamValue(client.Open(KeyOf(i)));
                stream.View.TryGetGroup("g"u8, out StreamGroup group);
                long number = group.Number;
                long other = group.TryGetConsumer(LongName, out StreamConsumer found) ? found.Number : 0;
                stream.Acknowledge(number, new StreamId((ulong)(5 + round), 0));
                stream.SetConsumerTimes(other, 10 + round, 20 + round);
                stream.TrimToLength(50, isApproximate: false);
                stream.SetGroup(number, new StreamId((ulong)round, 9), 4);
            }

            var after = Enumerable.Range(0, 10).Select(i => TextOf(client.Open(KeyOf(i)).Contents.OpenStream())).ToList();
            client.EndCommand();
            walker.EnterBatch();
            var cursor = default(SnapshotCursor);
            while (store.Snapshots.Walk(walker, ref cursor, 100)) { }

            walker.LeaveBatch();
            client.Outside(() => store.Snapshots.End(walker));
            Assert.Equal(
                expected,
                sink.Snapshots.OrderBy(pair => pair.Key).Select(pair => TextOf(new StreamView(store.Trees, (TreeSnapshot*)pair.Value)))
            );
            foreach (nint token in sink.Snapshots.Values)
                CollectionImage.ReleaseTree(store, token);

            expected = [.. after, .. expected[10..]];
        }

        for (int i = 0; i < 20; i++)
            client.Open(KeyOf(i)).Delete();

        client.Outside(() =>
        {
            while (store.Maintenance.Run()) { }
        });
        Assert.Equal(0, store.Trees.Heap.LiveNodes);
    }

    private static byte[] KeyOf(int number) => Encoding.ASCII.GetBytes("stream" + number.ToString("00"));

    private static void Append(CollectionClient client, int number, ulong id)
    {
        var stream = new StreamValue(client.Open(KeyOf(number)));
        stream.BeginEntry();

        // Long enough that the last node is stored outside of its leaf, with room to grow in place.
        stream.AddField("field"u8, Encoding.ASCII.GetBytes("a value of some length " + id));
        stream.EndEntry(new StreamId(id, 0));
    }

    private static string TextOf(StreamView stream)
    {
        var text = new StringBuilder();
        text.Append(stream.Length).Append(' ').Append(stream.LastId).Append(' ').Append(stream.EntriesAdded);
        foreach (StreamEntry entry in stream.Range(StreamId.Min, StreamId.Max))
        {
            text.Append(' ').Append(entry.Id);
            foreach (HashField field in entry)
                text.Append(Encoding.ASCII.GetString(field.Value));
        }

        foreach (StreamGroup group in stream.Groups)
        {
            text.Append(" group ").Append(group.LastId).Append(group.EntriesRead);
            foreach (StreamConsumer consumer in group)
            {
                text.Append(' ')
                    .Append(consumer.Name.Length)
                    .Append(' ')
                    .Append(consumer.Pending)
                    .Append(' ')
                    .Append(consumer.SeenTimeMs)
                    .Append(' ')
                    .Append(consumer.ActiveTimeMs);
            }

            foreach (PendingEntry pending in stream.Pending(group.Number, StreamId.Min, StreamId.Max))
                text.Append(' ').Append(pending.Id).Append(Encoding.ASCII.GetString(pending.Consumer));
        }

        return text.ToString();
    }

    private sealed class SnapshotSink(HybridLogStore store) : ISnapshotSink
    {
        public Dictionary<string, nint> Snapshots { get; } = [];

        public void OnFirstWrite(in SnapshotImage image) => Add(image);

        public void OnWalk(in SnapshotImage image) => Add(image);

        public bool HasSpace(long bytes) => store.Snapshots.IsActive;

        public Task WaitForSpaceAsync() => Task.CompletedTask;

        private void Add(in SnapshotImage image)
        {
            Assert.True(image.TryReferenceTree(out nint token));
            Snapshots.Add(Encoding.ASCII.GetString(image.Key), token);
        }
    }
}
