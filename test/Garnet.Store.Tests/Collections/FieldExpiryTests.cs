// Fields expire without being accessed, even if their hash has moved meanwhile, and all observers are notified.
using System.Text;
using Garnet.Store.Collections.Hashes;
using Xunit;

namespace Garnet.Store.Tests.Collections;

public sealed class FieldExpiryTests
{
    [Fact]
    public void Active_expiry_removes_due_fields_and_then_the_hash()
    {
        var time = new VirtualTime();
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 16, BlockThresholdBytes = 2048 }, time);
        var sink = new TextSink();
        store.Changes.Sink = sink;
        using var client = new CollectionClient(store);
        for (int i = 0; i < 200; i++)
        {
            var hash = new HashValue(client.Open(KeyOf(i)));
            for (int field = 0; field < 1 + (i % 40); field++)
                hash.Set(Encoding.ASCII.GetBytes("field" + field), new byte[i % 100], time.NowMs + 1000 + (field * 100));

            if (i % 10 == 0)
                hash.Set("stays"u8, "x"u8);
        }

        client.EndCommand();
        long changes = store.Statistics.Changes;
        Settle(client, store, time, 20_000);
        Assert.Equal(changes, store.Statistics.Changes);
        int left = 0;
        for (int i = 0; i < 200; i++)
        {
            var hash = new HashValue(client.Open(KeyOf(i)));
            Assert.Equal(i % 10 == 0 ? 1 : 0, hash.Length);
            Assert.Equal(0, hash.ExpiringFields);
            left += (int)hash.Length;
        }

        client.EndCommand();
        int expired = Enumerable.Range(0, 200).Sum(i => 1 + (i % 40));
        Assert.Equal(20, left);
        Assert.Equal(20, store.Databases.KeyCount(0));
        Assert.Equal(expired, store.Statistics.ExpiredFields);
        Assert.Equal(expired, sink.Effects.Count);
        Assert.Contains("*3\r\n$4\r\nHDEL\r\n$4\r\nkey3\r\n$6\r\nfield0\r\n", sink.Effects);
    }

    [Fact]
    public void A_persisted_field_and_a_stored_hash_expire_on_time()
    {
        var time = new VirtualTime();
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 16 }, time);
        using var client = new CollectionClient(store);
        RecordHandle target = client.Open("h"u8.ToArray());
        var made = HashValue.Detached(client.Session);
        made.Set("soon"u8, "1"u8, time.NowMs + 500);
        made.Set("late"u8, "2"u8, time.NowMs + 500);
        Assert.True(made.SetExpiry("late"u8, -1));
        made.StoreTo(ref target);
        client.EndCommand();
        Settle(client, store, time, 10_000);
        var hash = new HashValue(client.Open("h"u8.ToArray()));
        Assert.Equal(1, hash.Length);
        Assert.True(hash.TryGet("late"u8, out _, out long expiresAtMs));
        Assert.Equal(-1, expiresAtMs);
        client.EndCommand();
    }

    private static byte[] KeyOf(int number) => Encoding.ASCII.GetBytes("key" + number);

    private static void Settle(CollectionClient client, HybridLogStore store, VirtualTime time, int ms)
    {
        client.Outside(() =>
        {
            for (int i = 0; i < ms; i += 500)
            {
                time.Advance(500);
                while (store.Maintenance.Run()) { }
            }
        });
    }

    private sealed class TextSink : IWriteSink
    {
        public List<string> Effects { get; } = [];

        public void Append(int database, ReadOnlySpan<byte> effect) => Effects.Add(Encoding.UTF8.GetString(effect));
    }
}
