// Sets compared with a model: random histories must agree, including Valkey's order and encoding.
using System.Text;
using Garnet.Store.Collections.Sets;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Store.Tests.Collections;

public sealed class SetModelTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData(20, 4000, false)]
    [InlineData(1000, 20_000, true)]
    [InlineData(400, 20_000, false)]
    [InlineData(5000, 20_000, false)]
    public void Random_histories_agree_with_a_list(int kinds, int commands, bool integersAlone)
    {
        int seed = TestSeed.ChooseAnew(output);
        var random = new Random(seed);
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 17, BlockThresholdBytes = 2048 }, new VirtualTime());
        using var client = new CollectionClient(store);
        byte[] key = "s"u8.ToArray();
        var model = new SetModel();
        for (int i = 0; i < commands; i++)
        {
            byte[] member =
                integersAlone && random.Next(2000) != 0
                    ? Encoding.ASCII.GetBytes((random.Next(kinds) * (long)Math.Pow(10, random.Next(12))).ToString())
                    : CollectionClient.RandomElement(random, kinds);
            var set = new SetValue(client.Open(key));
            switch (random.Next(10))
            {
                case < 4:
                    Assert.Equal(model.Add(member), set.Add(member));
                    break;
                case < 7:
                    Assert.Equal(model.Remove(member), set.Remove(member));
                    break;
                case 7 when random.Next(3) == 0:
                    Assert.Equal(model.Members.Count > 0, set.TryPop(out ReadOnlySpan<byte> popped));
                    Assert.True(model.Members.Count == 0 || model.Remove(popped.ToArray()));
                    break;
                default:
                    Assert.Equal(model.Contains(member), set.Contains(member));
                    break;
            }

            Assert.Equal(model.Members.Count, set.Length);
            Assert.Equal(model.Members.Count > 0, set.Exists);
            if (set.Exists)
                Assert.Equal(model.Encoding, Encoding.ASCII.GetString(set.Encoding));

            if (i % 53 == 0)
            {
                AssertSame(set, model);
                client.Outside(() => store.Maintenance.Run());
            }

            if (random.Next(commands / 4) == 0)
            {
                client.Open(key).Delete();
                model = new SetModel();
            }
        }
    }

    [Fact]
    public void A_detached_set_becomes_the_value_of_a_key()
    {
        using var store = new HybridLogStore(new StoreOptions(), new VirtualTime());
        using var client = new CollectionClient(store);
        byte[] key = "target"u8.ToArray();
        foreach (int members in new[] { 3, 100, 200, 5000, 0 })
        {
            RecordHandle target = client.Open(key);
            var result = SetValue.Detached(client.Session);
            for (int i = 0; i < members; i++)
            {
                Assert.True(result.Add(Encoding.ASCII.GetBytes("member" + i)));
                Assert.False(result.Add(Encoding.ASCII.GetBytes("member" + i)));
            }

            result.StoreTo(ref target, 1_000_000_000_000_000);
            Assert.Equal(members > 0, target.Exists);
            if (members > 0)
            {
                Assert.Equal(1_000_000_000_000_000, target.ExpiresAtMs);
                var set = new SetValue(target);
                Assert.Equal(members, set.Length);
                Assert.True(set.Contains("member2"u8));
                Assert.Equal(members > 128 ? "hashtable" : "listpack", Encoding.ASCII.GetString(set.Encoding));
            }
        }

        var discarded = SetValue.Detached(client.Session);
        discarded.Add("x"u8);
        discarded.Discard();
        client.EndCommand();
        Assert.Equal(0, store.Blocks.LiveBlocks);
    }

    [Fact]
    public void Random_members_are_uniform()
    {
        int seed = TestSeed.ChooseAnew(output);
        using var store = new HybridLogStore(new StoreOptions(), new VirtualTime());
        using var client = new CollectionClient(store);
        const int members = 50;
        var set = new SetValue(client.Open("s"u8.ToArray()));
        for (int i = 0; i < members; i++)
            set.Add(Encoding.ASCII.GetBytes("m" + i));

        foreach (bool isDistinct in new[] { false, true })
        {
            int[] counts = new int[members];
            const int rounds = 5000;
            for (int round = 0; round < rounds; round++)
            {
                foreach (ReadOnlySpan<byte> member in set.Sample(10, isDistinct))
                    counts[int.Parse(member[1..])]++;
            }

            double expected = rounds * 10.0 / members;
            double chiSquare = counts.Sum(count => (count - expected) * (count - expected) / expected);

            // 49 degrees of freedom: a correct implementation exceeds 110 once in a million runs.
            Assert.True(chiSquare < 110, $"chi-square {chiSquare}, distinct {isDistinct}");
        }
    }

    private static void AssertSame(in SetValue set, SetModel model)
    {
        var read = new List<byte[]>();
        foreach (ReadOnlySpan<byte> member in set)
            read.Add(member.ToArray());

        if (model.Encoding == "hashtable")
        {
            Assert.Equal(
                model.Members.Order(ByteArrayComparer.Instance),
                read.Order(ByteArrayComparer.Instance),
                ByteArrayComparer.Instance
            );
        }
        else
        {
            ByteArrayComparer.AssertEqual(model.Members, read);
        }

        var visitor = new CollectingVisitor([]);
        ulong cursor = 0;
        do
        {
            cursor = set.Scan(cursor, 10, ref visitor);
        } while (cursor != 0);
        Assert.Equal(
            read.Order(ByteArrayComparer.Instance),
            visitor.Elements.Distinct(ByteArrayComparer.Instance).Order(ByteArrayComparer.Instance),
            ByteArrayComparer.Instance
        );
        var sampled = new List<byte[]>();
        foreach (ReadOnlySpan<byte> member in set.Sample(long.MaxValue, isDistinct: true))
            sampled.Add(member.ToArray());

        ByteArrayComparer.AssertEqual(read.Order(ByteArrayComparer.Instance), sampled.Order(ByteArrayComparer.Instance));
        int drawn = 0;
        foreach (ReadOnlySpan<byte> member in set.Sample(20, isDistinct: false))
        {
            Assert.True(model.Contains(member.ToArray()));
            drawn++;
        }

        Assert.Equal(read.Count == 0 ? 0 : 20, drawn);
    }
}
