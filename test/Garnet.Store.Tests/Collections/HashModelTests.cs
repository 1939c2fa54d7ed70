// Hashes compared with a model: random histories must agree, including the order of small hashes.
using Garnet.Store.Collections.Hashes;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Store.Tests.Collections;

public sealed class HashModelTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData(8, 4000, 16 * 1024)]
    [InlineData(300, 20_000, 2048)]
    [InlineData(3000, 20_000, 16 * 1024)]
    public void Random_histories_agree_with_a_list(int kinds, int commands, int blockThreshold)
    {
        int seed = TestSeed.ChooseAnew(output);
        var random = new Random(seed);
        var time = new VirtualTime();
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 17, BlockThresholdBytes = blockThreshold }, time)
        {
            Maintenance = { RemovesExpired = false },
        };
        using var client = new CollectionClient(store);
        byte[] key = "h"u8.ToArray();
        var model = new HashModel();
        for (int i = 0; i < commands; i++)
        {
            Step(client, key, random, time, model, kinds);
            if (i % 100 == 0)
                client.Outside(() => store.Maintenance.Run());

            if (i % 37 == 0)
                AssertSame(client, key, model, time.NowMs);

            if (random.Next(commands / 3) == 0)
            {
                client.Open(key).Delete();
                model = new HashModel();
            }
        }

        AssertSame(client, key, model, time.NowMs);
    }

    private static void Step(CollectionClient client, byte[] key, Random random, VirtualTime time, HashModel model, int kinds)
    {
        byte[] field = CollectionClient.RandomElement(random, kinds);
        byte[] value = CollectionClient.RandomElement(random, 1000);
        var hash = new HashValue(client.Open(key));
        switch (random.Next(12))
        {
            case < 5:
                long expiry =
                    random.Next(8) == 0 ? time.NowMs + random.Next(1, 500)
                    : random.Next(3) == 0 ? HashValue.KeepExpiry
                    : -1;
                Assert.Equal(model.Set(field, value, expiry, time.NowMs), hash.Set(field, value, expiry));
                break;
            case < 8:
                Assert.Equal(model.Remove(field, time.NowMs), hash.Remove(field));
                break;
            case 8:
                long expiresAt = random.Next(3) == 0 ? -1 : time.NowMs + random.Next(0, 500);
                Assert.Equal(model.SetExpiry(field, expiresAt, time.NowMs), hash.SetExpiry(field, expiresAt));
                break;
            case 9:
                time.Advance(random.Next(20));
                break;
            case 10 when random.Next(5) == 0:
                var visitor = new CollectingVisitor([]);
                List<byte[]> expected = model.RemoveExpired(time.NowMs);
                hash.RemoveExpired(int.MaxValue, ref visitor);
                Assert.Equal(
                    expected.Order(ByteArrayComparer.Instance),
                    visitor.Elements.Order(ByteArrayComparer.Instance),
                    ByteArrayComparer.Instance
                );
                break;
            default:
                HashModel.Entry? entry = model.Find(field, time.NowMs);
                Assert.Equal(entry is not null, hash.TryGet(field, out ReadOnlySpan<byte> read, out long until));
                Assert.Equal(entry is not null, hash.Contains(field));
                if (entry is not null)
                {
                    Assert.Equal(entry.Value, read.ToArray());
                    Assert.Equal(entry.ExpiresAtMs, until);
                }

                break;
        }

        Assert.Equal(model.Entries.Count, hash.Length);
        Assert.Equal(model.Entries.Count > 0, hash.Exists);
        (int expiring, long earliest) = model.Expiries();
        Assert.Equal(expiring, hash.ExpiringFields);
        Assert.True(hash.EarliestExpiryMs <= earliest);
        if (hash.Exists)
            Assert.Equal(model.IsLarge ? "hashtable" : "listpack", System.Text.Encoding.ASCII.GetString(hash.Encoding));
    }

    private static void AssertSame(CollectionClient client, byte[] key, HashModel model, long nowMs)
    {
        var hash = new HashValue(client.Open(key));
        var read = new List<HashModel.Entry>();
        foreach (HashField field in hash)
            read.Add(new HashModel.Entry(field.Field.ToArray()) { Value = field.Value.ToArray(), ExpiresAtMs = field.ExpiresAtMs });

        var expected = model.Entries.Where(each => !HashModel.IsExpired(each, nowMs)).ToList();
        if (model.IsLarge)
        {
            read = [.. read.OrderBy(each => each.Field, ByteArrayComparer.Instance)];
            expected = [.. expected.OrderBy(each => each.Field, ByteArrayComparer.Instance)];
        }

        ByteArrayComparer.AssertEqual(expected.Select(each => each.Field), read.Select(each => each.Field));
        ByteArrayComparer.AssertEqual(expected.Select(each => each.Value), read.Select(each => each.Value));
        Assert.Equal(expected.Select(each => each.ExpiresAtMs), read.Select(each => each.ExpiresAtMs));
        AssertScanned(hash, expected);
        var sampled = new List<byte[]>();
        foreach (HashField field in hash.Sample(expected.Count + 5, isDistinct: true))
            sampled.Add(field.Field.ToArray());

        ByteArrayComparer.AssertEqual(
            expected.Select(each => each.Field).Order(ByteArrayComparer.Instance),
            sampled.Order(ByteArrayComparer.Instance)
        );
    }

    private static void AssertScanned(in HashValue hash, List<HashModel.Entry> expected)
    {
        var visitor = new ScanVisitor(new Dictionary<byte[], byte[]>(ByteArrayComparer.Instance));
        ulong cursor = 0;
        do
        {
            cursor = hash.Scan(cursor, 10, ref visitor);
        } while (cursor != 0);
        Assert.Equal(expected.Count, visitor.Seen.Count);
        foreach (HashModel.Entry entry in expected)
            Assert.True(visitor.Seen[entry.Field].AsSpan().SequenceEqual(entry.Value));
    }

    private readonly struct ScanVisitor(Dictionary<byte[], byte[]> seen) : IHashVisitor
    {
        public Dictionary<byte[], byte[]> Seen => seen;

        public void Visit(ReadOnlySpan<byte> field, ReadOnlySpan<byte> value) => seen[field.ToArray()] = value.ToArray();
    }
}
