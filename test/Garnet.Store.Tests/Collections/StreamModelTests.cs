// Streams compared with a sorted list of entries and a dictionary of pending ones: random histories must agree.
using System.Text;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Hashes;
using Garnet.Store.Collections.Streams;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Store.Tests.Collections;

public sealed class StreamModelTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData(3000, 100, 4096)]
    [InlineData(6000, 5, 4096)]
    [InlineData(3000, 0, 200)]
    public void Random_histories_agree_with_a_list(int commands, int nodeEntries, int nodeBytes)
    {
        int seed = TestSeed.ChooseAnew(output);
        var random = new Random(seed);
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 17 }, new VirtualTime())
        {
            CollectionLimits = new CollectionLimits { StreamNodeMaxEntries = nodeEntries, StreamNodeMaxBytes = nodeBytes },
        };
        using var client = new CollectionClient(store);
        byte[] key = "x"u8.ToArray();
        var model = new StreamModel();
        for (int i = 0; i < commands; i++)
        {
            var stream = new StreamValue(client.Open(key));
            Step(ref stream, model, random);
            if (i % 50 == 0)
            {
                AssertSame(stream.View, model, random);
                client.Outside(() => store.Maintenance.Run());
            }
        }

        client.Open(key).Delete();
        client.Outside(() =>
        {
            while (store.Maintenance.Run()) { }
        });
        Assert.Equal(0, store.Trees.Heap.LiveNodes);
    }

    [Fact]
    public void Approximate_trimming_removes_only_whole_nodes()
    {
        using var store = new HybridLogStore(new StoreOptions(), new VirtualTime());
        using var client = new CollectionClient(store);
        var stream = new StreamValue(client.Open("x"u8.ToArray()));
        for (ulong i = 1; i <= 1000; i++)
            Append(ref stream, new StreamId(i, 0), [("field"u8.ToArray(), "value"u8.ToArray())]);

        Assert.Equal(10, stream.View.Nodes);
        Assert.Equal(0, stream.TrimToLength(950, isApproximate: true));
        Assert.Equal(300, stream.TrimToLength(650, isApproximate: true));
        Assert.Equal(new StreamId(301, 0), stream.View.FirstId);
        Assert.Equal(0, stream.TrimBelow(new StreamId(400, 0), isApproximate: true));
        Assert.Equal(100, stream.TrimBelow(new StreamId(401, 0), isApproximate: true));
        Assert.Equal(100, stream.TrimToLength(0, isApproximate: true, limit: 150));
        Assert.Equal(450, stream.TrimToLength(50, isApproximate: false));
        Assert.Equal(new StreamId(951, 0), stream.View.FirstId);
        Assert.Equal(1000, stream.View.EntriesAdded);
        client.EndCommand();
    }

    private static void Step(ref StreamValue stream, StreamModel model, Random random)
    {
        StreamId some =
            model.Entries.Count > 0 && random.Next(4) > 0
                ? model.Entries.Keys[random.Next(model.Entries.Count)]
                : new StreamId((ulong)random.Next(2000), 0);
        byte[] group = RandomName(random, "group", 3);
        byte[] consumer = RandomName(random, "consumer", random.Next(2) == 0 ? 4 : 40);
        switch (random.Next(24))
        {
            case < 12:
                model.Last =
                    random.Next(3) == 0
                        ? new StreamId(model.Last.Milliseconds, model.Last.Sequence + 1)
                        : new StreamId(model.Last.Milliseconds + (ulong)random.Next(1, 500), (ulong)random.Next(3));
                (byte[] Name, byte[] Value)[] fields = RandomFields(random);
                Append(ref stream, model.Last, fields);
                model.Entries[model.Last] = fields;
                model.Added++;
                break;
            case < 15:
                bool isThere = model.Entries.Remove(some);
                Assert.Equal(isThere, stream.Delete(some));
                if (isThere && some > model.MaxDeleted)
                    model.MaxDeleted = some;

                break;
            case 15 when random.Next(4) == 0:
                int length = random.Next(model.Entries.Count + 3);
                Assert.Equal(Math.Max(0, model.Entries.Count - length), stream.TrimToLength(length, isApproximate: false));
                while (model.Entries.Count > length)
                    model.Entries.RemoveAt(0);

                break;
            case 16 when random.Next(4) == 0:
                int below = model.Entries.Keys.Count(id => id < some);
                Assert.Equal(below, stream.TrimBelow(some, isApproximate: false));
                for (int i = 0; i < below; i++)
                    model.Entries.RemoveAt(0);

                break;
            case 17:
                Assert.Equal(model.Groups.TryAdd(Encoding.ASCII.GetString(group), []), stream.CreateGroup(group, some, -1, out _));
                break;
            case 18 when random.Next(6) == 0:
                Assert.Equal(model.Groups.Remove(Encoding.ASCII.GetString(group)), stream.DestroyGroup(group));
                break;
            default:
                if (model.Groups.TryGetValue(Encoding.ASCII.GetString(group), out Dictionary<string, StreamModel.Consumer>? consumers))
                    StepInGroup(ref stream, consumers, group, consumer, some, random);

                break;
        }
    }

    private static void StepInGroup(
        ref StreamValue stream,
        Dictionary<string, StreamModel.Consumer> consumers,
        byte[] group,
        byte[] consumer,
        StreamId id,
        Random random
    )
    {
        string name = Encoding.ASCII.GetString(consumer);
        stream.View.TryGetGroup(group, out StreamGroup found);
        long number = found.Number;
        long consumerNumber = found.TryGetConsumer(consumer, out StreamConsumer there) ? there.Number : 0;
        switch (random.Next(8))
        {
            case 0:
                Assert.Equal(consumers.TryAdd(name, new StreamModel.Consumer()), stream.CreateConsumer(number, consumer, 5, out _));
                break;
            case 1 when random.Next(3) == 0:
                long expected = consumers.Remove(name, out StreamModel.Consumer? gone) ? gone.Pending.Count : -1;
                Assert.Equal(expected, stream.DeleteConsumer(number, consumer));
                break;
            case < 5 when consumers.TryGetValue(name, out StreamModel.Consumer? owner):
                foreach (StreamModel.Consumer each in consumers.Values)
                    each.Pending.Remove(id);

                long time = random.NextInt64(1L << 41);
                long count = random.Next(1, 9);
                owner.Pending[id] = (time, count);
                stream.SetPending(number, consumerNumber, id, time, count);
                stream.SetConsumerTimes(consumerNumber, time, time);
                owner.SeenMs = time;
                break;
            default:
                bool wasPending = false;
                foreach (StreamModel.Consumer each in consumers.Values)
                    wasPending |= each.Pending.Remove(id);

                Assert.Equal(wasPending, stream.Acknowledge(number, id));
                break;
        }
    }

    // Some names are so long that they are stored outside of the leaves, some in blocks.
    private static byte[] RandomName(Random random, string prefix, int names)
    {
        int number = random.Next(names);
        return Encoding.ASCII.GetBytes(
            prefix
                + number
                + new string(
                    'x',
                    number switch
                    {
                        1 => 1500,
                        2 => 9000,
                        _ => 0,
                    }
                )
        );
    }

    private static void Append(ref StreamValue stream, StreamId id, (byte[] Name, byte[] Value)[] fields)
    {
        stream.BeginEntry();
        foreach ((byte[] name, byte[] value) in fields)
            stream.AddField(name, value);

        stream.EndEntry(id);
    }

    private static (byte[] Name, byte[] Value)[] RandomFields(Random random)
    {
        if (random.Next(3) > 0)
        {
            return
            [
                ("a"u8.ToArray(), CollectionClient.RandomElement(random, 1000)),
                ("b"u8.ToArray(), CollectionClient.RandomElement(random, 1000)),
            ];
        }

        var fields = new (byte[] Name, byte[] Value)[random.Next(1, 5)];
        for (int i = 0; i < fields.Length; i++)
            fields[i] = (CollectionClient.RandomElement(random, 20), CollectionClient.RandomElement(random, 1000));

        return fields;
    }

    private static void AssertSame(StreamView stream, StreamModel model, Random random)
    {
        Assert.Equal(model.Entries.Count, stream.Length);
        Assert.Equal(model.Last, stream.LastId);
        Assert.Equal(model.Entries.Count == 0 ? StreamId.Min : model.Entries.Keys[0], stream.FirstId);
        Assert.Equal(model.MaxDeleted, stream.MaxDeletedId);
        Assert.Equal(model.Added, stream.EntriesAdded);
        var start = new StreamId((ulong)random.NextInt64((long)model.Last.Milliseconds + 2), (ulong)random.Next(3));
        var end = new StreamId((ulong)random.NextInt64((long)model.Last.Milliseconds + 2), (ulong)random.Next(3));
        AssertRange(stream, model, StreamId.Min, StreamId.Max, isReverse: false);
        AssertRange(stream, model, StreamId.Min, StreamId.Max, isReverse: true);
        AssertRange(stream, model, start, end, isReverse: false);
        AssertRange(stream, model, start, end, isReverse: true);
        var names = new List<string>();
        foreach (StreamGroup group in stream.Groups)
        {
            string name = Encoding.ASCII.GetString(group.Name);
            names.Add(name);
            AssertGroup(stream, group, model.Groups[name]);
        }

        Assert.Equal(model.Groups.Keys.Order(StringComparer.Ordinal), names);
        Assert.Equal(model.Groups.Count, stream.GroupCount);
    }

    private static void AssertRange(StreamView stream, StreamModel model, StreamId start, StreamId end, bool isReverse)
    {
        var expected = model.Entries.Keys.Where(id => id >= start && id <= end).ToList();
        if (isReverse)
            expected.Reverse();

        int at = 0;
        foreach (StreamEntry entry in stream.Range(start, end, isReverse))
        {
            Assert.Equal(expected[at], entry.Id);
            (byte[] Name, byte[] Value)[] fields = model.Entries[entry.Id];
            Assert.Equal(fields.Length, entry.Fields);
            int field = 0;
            foreach (HashField each in entry)
            {
                Assert.Equal(fields[field].Name, each.Field.ToArray());
                Assert.Equal(fields[field].Value, each.Value.ToArray());
                field++;
            }

            Assert.Equal(fields.Length, field);
            at++;
        }

        Assert.Equal(expected.Count, at);
    }

    private static void AssertGroup(StreamView stream, StreamGroup group, Dictionary<string, StreamModel.Consumer> consumers)
    {
        Assert.Equal(consumers.Count, group.Consumers);
        Assert.Equal(consumers.Values.Sum(each => each.Pending.Count), group.Pending);
        var all = consumers
            .SelectMany(pair =>
                pair.Value.Pending.Select(pending => (Id: pending.Key, Name: pair.Key, pending.Value.Time, pending.Value.Count))
            )
            .OrderBy(each => each.Id)
            .ToList();
        int at = 0;
        foreach (PendingEntry entry in stream.Pending(group.Number, StreamId.Min, StreamId.Max))
        {
            Assert.Equal(all[at], (entry.Id, Encoding.ASCII.GetString(entry.Consumer), entry.DeliveredAtMs, entry.Deliveries));
            at++;
        }

        Assert.Equal(all.Count, at);
        foreach (StreamConsumer consumer in group)
        {
            StreamModel.Consumer expected = consumers[Encoding.ASCII.GetString(consumer.Name)];
            Assert.Equal(expected.Pending.Count, consumer.Pending);
            Assert.Equal(expected.SeenMs, consumer.SeenTimeMs);
            int own = 0;
            foreach (PendingEntry entry in stream.Pending(group.Number, consumer.Number, StreamId.Min, StreamId.Max))
            {
                Assert.True(expected.Pending.ContainsKey(entry.Id));
                Assert.True(stream.TryGetPending(group.Number, entry.Id, out PendingEntry again) && again.Deliveries == entry.Deliveries);
                own++;
            }

            Assert.Equal(expected.Pending.Count, own);
        }
    }
}
