// Lists compared with a model of Valkey's: random histories must agree in content, order, encoding and nodes.
using System.Text;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Lists;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Store.Tests.Collections;

public sealed class ListModelTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData(5, 5000, 4, -2)]
    [InlineData(100, 10_000, 5, -2)]
    [InlineData(1000, 6_000, 6, -2)]
    [InlineData(300, 6_000, 5, -1)]
    [InlineData(300, 6_000, 6, -3)]
    [InlineData(300, 4_000, 5, 1)]
    [InlineData(300, 6_000, 5, 3)]
    [InlineData(300, 6_000, 5, 16)]
    [InlineData(300, 6_000, 6, 128)]
    public void Random_histories_agree_with_a_model(int kinds, int commands, int pushes, int setting)
    {
        int seed = TestSeed.ChooseAnew(output);
        var random = new Random(seed);
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 17, BlockThresholdBytes = 2048 }, new VirtualTime());
        store.CollectionLimits = new CollectionLimits { ListMaxListPackSize = setting };
        using var client = new CollectionClient(store);
        byte[] key = "l"u8.ToArray();
        var model = new QuickListModel(setting);
        for (int i = 0; i < commands; i++)
        {
            var list = new ListValue(client.Open(key));
            Step(ref list, model, random, kinds, pushes);
            Assert.Equal(model.Count, list.Length);
            Assert.Equal(model.Count > 0, list.Exists);
            if (list.Exists)
            {
                Assert.Equal(model.Encoding, Encoding.ASCII.GetString(list.Encoding));
                Assert.Equal((model.Nodes, model.Bytes), (list.Shape.Nodes, list.Shape.Bytes));
            }

            if (i % 53 == 0)
            {
                AssertSame(list, model.Elements, random);
                client.Outside(() => store.Maintenance.Run());
            }

            if (random.Next(commands / 3) == 0)
            {
                client.Open(key).Delete();
                model.Clear();
            }
        }

        client.Open(key).Delete();
        AssertNothingIsLeft(store, client);
    }

    private static void AssertNothingIsLeft(HybridLogStore store, CollectionClient client)
    {
        client.Outside(() =>
        {
            while (store.Maintenance.Run()) { }
        });
        Assert.Equal(0, store.Trees.Heap.LiveNodes);
        Assert.Equal(0, store.Blocks.LiveBlocks);
    }

    private static void Step(ref ListValue list, QuickListModel model, Random random, int kinds, int pushes)
    {
        byte[] element = random.Next(60) == 0 ? new byte[random.Next(3000, 20_000)] : CollectionClient.RandomElement(random, kinds);
        int count = model.Count;
        int index = random.Next(count + 1);
        int choice = random.Next(12);
        if (choice < pushes)
        {
            Push(ref list, model, element, isFirst: choice % 2 == 0);
        }
        else if (choice < pushes + 2)
        {
            Edit(ref list, model, element, index, random);
        }
        else if (count == 0)
        {
            return;
        }
        else if (choice < 10)
        {
            int removed = Math.Min(count - index, random.Next(5) == 0 ? random.Next(20) : 1);
            list.RemoveRange(index, removed);
            if (removed > 0)
                model.Remove(index, removed);
        }
        else if (choice == 10)
        {
            Move(ref list, model, element, random);
        }
        else
        {
            Search(in list, model.Elements, random.Next(8) == 0 ? element : model.Elements[random.Next(count)], random);
        }
    }

    private static void Push(ref ListValue list, QuickListModel model, byte[] element, bool isFirst)
    {
        list.Expect(1, element.Length);
        model.Expect(1, element.Length);
        model.Push(element, isFirst);
        if (isFirst)
            list.PushFirst(element);
        else
            list.PushLast(element);
    }

    private static void Edit(ref ListValue list, QuickListModel model, byte[] element, int index, Random random)
    {
        if (model.Count == 0)
            return;
        list.Expect(1, element.Length);
        model.Expect(1, element.Length);

        // An index past the end is not found, so the expectation is unchanged.
        if (index == model.Count)
            return;
        switch (random.Next(3))
        {
            case 0:
                list.SetAt(index, element);
                model.Set(index, element);
                break;
            case 1:
                list.InsertAt(index, element);
                model.Insert(index, element, isBehind: false);
                break;
            default:
                list.InsertBehind(index, element);
                model.Insert(index, element, isBehind: true);
                break;
        }
    }

    private static void Move(ref ListValue list, QuickListModel model, byte[] element, Random random)
    {
        int count = model.Count;
        switch (random.Next(6))
        {
            case 0:
                int first = random.Next(Math.Min(count, 10));
                int kept = Math.Max(1, count - first - random.Next(10));
                list.Trim(first, kept);
                model.Trim(first, kept);
                break;
            case 1 or 2:
                bool takesFirst = random.Next(2) == 0;
                bool putsFirst = random.Next(2) == 0;
                list.Rotate(model.Elements[takesFirst ? 0 : count - 1], takesFirst, putsFirst);
                model.Rotate(takesFirst, putsFirst);
                break;
            default:
                int most = random.Next(4);
                bool fromEnd = random.Next(2) == 0;
                byte[] wanted = random.Next(2) == 0 ? element : model.Elements[random.Next(count)];
                Assert.Equal(model.Remove(wanted, most, fromEnd), list.Remove(wanted, most, fromEnd));
                break;
        }
    }

    private static void Search(in ListValue list, List<byte[]> model, byte[] wanted, Random random)
    {
        Assert.Equal(model.FindIndex(each => each.AsSpan().SequenceEqual(wanted)), list.IndexOf(wanted));

        bool isReverse = random.Next(2) == 0;
        int most = random.Next(3) == 0 ? random.Next(model.Count + 2) : model.Count;
        List<long> expected = [];
        for (int i = 0; i < Math.Min(most, model.Count); i++)
        {
            int index = isReverse ? model.Count - 1 - i : i;
            if (model[index].AsSpan().SequenceEqual(wanted))
                expected.Add(index);
        }

        List<long> found = [];
        ListSearch search = list.Search(wanted, most, isReverse);
        while (search.TryNext(out long index))
            found.Add(index);

        Assert.Equal(expected, found);
        Assert.False(search.TryNext(out long none));
        Assert.Equal(-1, none);
    }

    private static void AssertSame(in ListValue list, List<byte[]> model, Random random)
    {
        var read = new List<byte[]>();
        foreach (ReadOnlySpan<byte> element in list)
            read.Add(element.ToArray());

        ByteArrayComparer.AssertEqual(model, read);
        int first = random.Next(model.Count + 1);
        int count = random.Next(50);
        read.Clear();
        foreach (ReadOnlySpan<byte> element in list.Range(first, count))
            read.Add(element.ToArray());

        ByteArrayComparer.AssertEqual(model.Skip(first).Take(count), read);
        if (first == model.Count)
            return;

        read.Clear();
        foreach (ReadOnlySpan<byte> element in list.Range(first, count, isReverse: true))
            read.Add(element.ToArray());

        ByteArrayComparer.AssertEqual(model.Take(first + 1).Reverse().Take(count), read);
        Assert.Equal(model[first], list.At(first).ToArray());
    }
}
