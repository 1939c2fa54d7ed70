// Lists against a managed list: random histories must agree in content, order and encoding.
using System.Text;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Store.Tests;

public sealed class ListModelTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData(5, 5000, 4)]
    [InlineData(100, 15_000, 5)]
    [InlineData(1000, 15_000, 6)]
    public void Random_histories_agree_with_a_managed_list(int kinds, int commands, int pushes)
    {
        int seed = Random.Shared.Next();
        output.WriteLine($"seed {seed}");
        var random = new Random(seed);
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 17, BlockThresholdBytes = 2048 }, new VirtualTime());
        using var client = new CollectionClient(store);
        byte[] key = "l"u8.ToArray();
        var model = new List<byte[]>();
        bool isLarge = false;
        for (int i = 0; i < commands; i++)
        {
            var list = new ListValue(client.Open(key));
            Step(ref list, model, random, kinds, pushes, ref isLarge);
            Assert.Equal(model.Count, list.Length);
            Assert.Equal(model.Count > 0, list.Exists);
            if (list.Exists)
            {
                Assert.Equal(isLarge ? "quicklist" : "listpack", Encoding.ASCII.GetString(list.Encoding));
            }

            if (i % 53 == 0)
            {
                AssertSame(list, model, random);
                client.Outside(() => store.RunMaintenance());
            }

            if (random.Next(commands / 3) == 0)
            {
                client.Open(key).Delete();
                model.Clear();
                isLarge = false;
            }
        }
    }

    private static void Step(ref ListValue list, List<byte[]> model, Random random, int kinds, int pushes, ref bool isLarge)
    {
        byte[] element = CollectionClient.RandomElement(random, kinds);
        int index = random.Next(model.Count + 1);
        int before = model.Count;
        int choice = random.Next(12);
        if (choice < pushes + 2)
        {
            list.Expect(1, element.Length);
            isLarge |= Bytes(model) + element.Length > 8192;
            if (choice < pushes)
            {
                index = choice % 2 == 0 ? 0 : model.Count;
            }

            if (choice >= pushes && random.Next(2) == 0 && index < model.Count)
            {
                list.SetAt(index, element);
                model[index] = element;
                isLarge &= Bytes(model) > 4096;
                return;
            }

            if (choice >= pushes)
            {
                list.InsertAt(index, element);
            }
            else if (index == 0)
            {
                list.PushFirst(element);
            }
            else
            {
                list.PushLast(element);
            }

            model.Insert(index, element);
            return;
        }

        if (choice < 10)
        {
            int count = Math.Min(model.Count - index, random.Next(5) == 0 ? random.Next(20) : 1);
            list.RemoveRange(index, count);
            model.RemoveRange(index, count);
        }
        else if (choice == 10)
        {
            Remove(ref list, model, element, random);
        }
        else if (model.Count > 0)
        {
            Search(in list, model, random.Next(8) == 0 ? element : model[random.Next(model.Count)], random);
        }

        isLarge &= model.Count > 0 && (model.Count == before || Bytes(model) > 4096);
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
            {
                expected.Add(index);
            }
        }

        List<long> found = [];
        ListSearch search = list.Search(wanted, most, isReverse);
        while (search.TryNext(out long index))
        {
            found.Add(index);
        }

        Assert.Equal(expected, found);
        Assert.False(search.TryNext(out long none));
        Assert.Equal(-1, none);
    }

    private static void Remove(ref ListValue list, List<byte[]> model, byte[] element, Random random)
    {
        int most = random.Next(4);
        bool fromEnd = random.Next(2) == 0;
        int removed = 0;
        for (int i = fromEnd ? model.Count - 1 : 0; i >= 0 && i < model.Count && (most == 0 || removed < most);)
        {
            bool isMatch = model[i].AsSpan().SequenceEqual(element);
            if (isMatch)
            {
                model.RemoveAt(i);
                removed++;
            }

            i += fromEnd ? -1 : isMatch ? 0 : 1;
        }

        Assert.Equal(removed, list.Remove(element, most, fromEnd));
    }

    // What Valkey's listpack would take, written down independently: every element with its own header and length backwards.
    private static long Bytes(List<byte[]> model)
    {
        long bytes = 7;
        foreach (byte[] element in model)
        {
            string text = Encoding.Latin1.GetString(element);
            if (long.TryParse(text, out long value) && value.ToString() == text)
            {
                bytes += value is >= 0 and < 128 ? 2 : value is >= -4096 and < 4096 ? 3 : value is >= -32768 and < 32768 ? 4 : value is >= -8388608 and < 8388608 ? 5 : value == (int)value ? 6 : 10;
            }
            else
            {
                int header = element.Length < 64 ? 1 : element.Length < 4096 ? 2 : 5;
                bytes += element.Length + header + (element.Length + header <= 127 ? 1 : 2);
            }
        }

        return bytes;
    }

    private static void AssertSame(in ListValue list, List<byte[]> model, Random random)
    {
        var read = new List<byte[]>();
        foreach (ReadOnlySpan<byte> element in list)
        {
            read.Add(element.ToArray());
        }

        Assert.Equal(model, read, ByteArrayComparer.Instance);
        int first = random.Next(model.Count + 1);
        int count = random.Next(50);
        read.Clear();
        foreach (ReadOnlySpan<byte> element in list.Range(first, count))
        {
            read.Add(element.ToArray());
        }

        Assert.Equal(model.Skip(first).Take(count), read, ByteArrayComparer.Instance);
        if (first == model.Count)
        {
            return;
        }

        read.Clear();
        foreach (ReadOnlySpan<byte> element in list.Range(first, count, isReverse: true))
        {
            read.Add(element.ToArray());
        }

        Assert.Equal(model.Take(first + 1).Reverse().Take(count), read, ByteArrayComparer.Instance);
        Assert.Equal(model[first], list.At(first).ToArray());
    }
}
