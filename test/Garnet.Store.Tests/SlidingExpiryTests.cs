// Sliding expiries in records, compared with a dictionary: growth, shrinking, moves by compaction, copies, blocks, images for snapshots.
using System.Text;
using Garnet.Store.Records;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Store.Tests;

public sealed class SlidingExpiryTests(ITestOutputHelper output)
{
    private const int Keys = 300;

    [Fact]
    public void Random_changes_keep_value_expiry_and_sliding_apart()
    {
        int seed = TestSeed.ChooseAnew(output);
        var random = new Random(seed);
        var time = new VirtualTime();
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 16, BlockThresholdBytes = 4096 }, time);
        using StoreSession session = store.OpenSession();
        var model = new Dictionary<int, Entry>();
        for (int i = 0; i < 60_000; i++)
        {
            int key = random.Next(Keys);
            session.EnterBatch();
            Step(session, random, key, model, time.NowMs);
            session.LeaveBatch();
            if (i % 500 == 0)
                store.Maintenance.Run();
        }

        session.EnterBatch();
        foreach ((int key, Entry expected) in model)
            Check(session, key, expected);

        session.LeaveBatch();
        Assert.Contains(model.Values, entry => entry.Sliding.Slides);
    }

    [Fact]
    public void A_key_without_a_sliding_expiry_takes_no_space_for_one()
    {
        Assert.Equal(Memory(default) + 16, Memory(new SlidingExpiry(5, SlidingExpiry.NoLimit)));

        static long Memory(SlidingExpiry sliding)
        {
            using var store = new HybridLogStore(new StoreOptions(), new VirtualTime());
            using StoreSession session = store.OpenSession();
            session.EnterBatch();
            RecordHandle record = Open(session, 1);
            record.Set(RecordType.String, new byte[24], long.MaxValue, sliding);
            long bytes = record.Contents.MemoryBytes;
            session.LeaveBatch();
            return bytes;
        }
    }

    [Theory]
    [InlineData(1000, 5000, 3000, 4000)]
    [InlineData(1000, 5000, 4500, 5000)]
    [InlineData(1000, SlidingExpiry.NoLimit, 4500, 5500)]
    [InlineData(long.MaxValue, SlidingExpiry.NoLimit, 4500, long.MaxValue)]
    public void A_renewal_counts_from_its_time_up_to_the_limit(long milliseconds, long limitMs, long renewedAtMs, long expiresAtMs) =>
        Assert.Equal(expiresAtMs, new SlidingExpiry(milliseconds, limitMs).ExpiresAtMs(renewedAtMs));

    private static void Step(StoreSession session, Random random, int key, Dictionary<int, Entry> model, long nowMs)
    {
        RecordHandle record = Open(session, key);
        bool exists = model.TryGetValue(key, out Entry? old);
        Assert.Equal(exists, record.Exists);
        switch (random.Next(9))
        {
            case 0 or 1:
                SlidingExpiry sliding =
                    random.Next(3) == 0
                        ? default
                        : new SlidingExpiry(
                            random.Next(1, int.MaxValue),
                            random.Next(2) == 0 ? SlidingExpiry.NoLimit : nowMs + random.NextInt64(1, 1L << 40)
                        );
                long expires = sliding.Slides || random.Next(2) == 0 ? nowMs + random.Next(1, int.MaxValue) : -1;
                byte[] value = RandomValue(random);
                record.Set(RecordType.String, value, expires, sliding);
                model[key] = new Entry(value, expires, sliding);
                break;
            case 2 when exists:
                byte[] other = RandomValue(random);
                record.SetKeepingExpiry(other);
                model[key] = old! with { Value = other };
                break;
            case 3 when exists:
                int length = Math.Max(0, old!.Value.Length + random.Next(-30, 40));
                record.Resize(length);
                byte[] resized = new byte[length];
                old.Value.AsSpan(0, Math.Min(length, old.Value.Length)).CopyTo(resized);
                model[key] = old with { Value = resized };
                break;
            case 4 when exists:
                long changed = random.Next(2) == 0 ? -1 : nowMs + random.Next(1, int.MaxValue);
                record.SetExpiry(changed);
                model[key] = old! with { ExpiresAtMs = changed, Sliding = default };
                break;
            case 5 when exists && old!.Sliding.Slides:
                long from = nowMs + random.Next(1, 1000);
                record.Slide(from);
                model[key] = old with { ExpiresAtMs = old.Sliding.ExpiresAtMs(from) };
                break;
            case 6 when exists && random.Next(4) == 0:
                record.Delete();
                model.Remove(key);
                break;
            case 7 when exists:
                session.EndCommand();
                CopyTo(session, key, (key + 1) % Keys);
                model[(key + 1) % Keys] = old!;
                break;
            default:
                if (exists)
                    Check(session, key, old!);

                break;
        }
    }

    private static void CopyTo(StoreSession session, int key, int target)
    {
        byte[] from = Name(key),
            to = Name(target);
        session.Latch([new KeyReference(0, session.Hash(from)), new KeyReference(0, session.Hash(to))]);
        RecordHandle source = session.Open(from, session.Hash(from));
        RecordHandle copy = session.Open(to, session.Hash(to));
        source.CopyTo(ref copy);
    }

    private static void Check(StoreSession session, int key, Entry expected)
    {
        RecordHandle record = Open(session, key);
        Assert.Equal(expected.Value, record.Value);
        Assert.Equal(expected.ExpiresAtMs, record.ExpiresAtMs);
        Assert.Equal(expected.Sliding, record.Sliding);
        session.EndCommand();
    }

    private static RecordHandle Open(StoreSession session, int key)
    {
        byte[] name = Name(key);
        return session.Open(name, session.Hash(name));
    }

    private static byte[] Name(int key) => Encoding.ASCII.GetBytes(key % 40 == 0 ? new string('l', 300) + key : "key-" + key);

    private static byte[] RandomValue(Random random)
    {
        byte[] value = new byte[
            random.Next(10) switch
            {
                0 => random.Next(3000, 9000),
                1 or 2 => random.Next(1000),
                _ => random.Next(60),
            }
        ];
        random.NextBytes(value);
        return value;
    }

    private sealed record Entry(byte[] Value, long ExpiresAtMs, SlidingExpiry Sliding);
}
