// The store compared with a dictionary: random single-threaded histories must agree.
using System.Text;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Store.Tests;

public sealed class StoreModelTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData(200, 30_000)]
    [InlineData(5_000, 60_000)]
    public void Random_commands_agree_with_a_dictionary(int keys, int commands)
    {
        int seed = TestSeed.ChooseAnew(output);
        var random = new Random(seed);
        var time = new VirtualTime();
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 16 }, time);
        using var client = new StoreClient(store);
        var model = new Dictionary<string, (byte[] Value, long Expires)>();
        for (int i = 0; i < commands; i++)
        {
            string key = KeyOf(random.Next(keys));
            byte[] keyBytes = Encoding.UTF8.GetBytes(key);
            if (model.TryGetValue(key, out (byte[] Value, long Expires) old) && old.Expires >= 0 && time.NowMs > old.Expires)
                model.Remove(key);

            switch (random.Next(8))
            {
                case 0 or 1:
                    byte[] value = RandomValue(random);
                    long expires = random.Next(4) == 0 ? time.NowMs + random.Next(1, 2000) : -1;
                    client.SetBytes(keyBytes, value, expires);
                    model[key] = (value, expires);
                    break;
                case 2:
                    Assert.Equal(model.Remove(key), client.DeleteBytes(keyBytes));
                    break;
                case 3:
                    byte[] more = RandomValue(random, 40);
                    client.Append(keyBytes, more);
                    model[key] = model.TryGetValue(key, out old) ? ([.. old.Value, .. more], old.Expires) : (more, -1);
                    break;
                case 4:
                    ChangeExpiry(client.Session, random, time, key, keyBytes, model);
                    break;
                case 5:
                    time.Advance(random.Next(5));
                    if (random.Next(20) == 0)
                        store.Maintenance.Run();

                    break;
                default:
                    byte[]? read = client.GetBytes(keyBytes);
                    Assert.Equal(model.TryGetValue(key, out old) ? old.Value : null, read);
                    break;
            }
        }

        foreach (
            string gone in model.Where(pair => pair.Value.Expires >= 0 && time.NowMs > pair.Value.Expires).Select(pair => pair.Key).ToList()
        )
        {
            model.Remove(gone);
        }

        Assert.Equal(model.Keys.Order(StringComparer.Ordinal), client.ScanAll().Distinct().Order(StringComparer.Ordinal));
        foreach ((string key, (byte[] value, _)) in model)
            Assert.Equal(value, client.GetBytes(Encoding.UTF8.GetBytes(key)));
    }

    [Fact]
    public void A_value_grown_to_any_length_has_that_length()
    {
        using var store = new HybridLogStore(new StoreOptions(), new VirtualTime());
        using var client = new StoreClient(store);
        byte[] key = "key"u8.ToArray();
        byte[] value = new byte[store.BlockThresholdBytes + 100];
        new Random(1).NextBytes(value);
        for (int length = 2; length < value.Length; length += length < store.BlockThresholdBytes - 200 ? 61 : 1)
        {
            client.SetBytes(key, value[..1]);
            client.Append(key, value[1..length]);
            Assert.Equal(value[..length], client.GetBytes(key));
        }
    }

    // A few keys are long or very long, so that all representations of keys are covered.
    private static string KeyOf(int number) =>
        (number % 50) switch
        {
            7 => new string('l', 300) + number,
            8 => new string('h', 9000) + number,
            _ => "key-" + number,
        };

    private static byte[] RandomValue(Random random, int most = 0)
    {
        int length =
            most > 0
                ? random.Next(most)
                : random.Next(20) switch
                {
                    0 => random.Next(14_000, 60_000),
                    1 or 2 => random.Next(5000),
                    _ => random.Next(80),
                };
        byte[] value = new byte[length];
        random.NextBytes(value);
        return value;
    }

    private static void ChangeExpiry(
        StoreSession session,
        Random random,
        VirtualTime time,
        string key,
        byte[] keyBytes,
        Dictionary<string, (byte[] Value, long Expires)> model
    )
    {
        long expires = random.Next(3) == 0 ? -1 : time.NowMs + random.Next(1, 3000);
        session.EnterBatch();
        RecordHandle handle = session.Open(0, keyBytes, session.Hash(keyBytes));
        Assert.Equal(model.ContainsKey(key), handle.Exists);
        if (handle.Exists)
        {
            Assert.Equal(model[key].Expires, handle.ExpiresAtMs);
            handle.SetExpiry(expires);
            model[key] = (model[key].Value, expires);
            Assert.Equal(model[key].Value, handle.Value.ToArray());
        }

        session.LeaveBatch();
    }
}
