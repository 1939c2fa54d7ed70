// Values on disk: how they leave memory, come back, and are forgotten.
using System.Text;
using Garnet.Store.Eviction;
using Garnet.Store.Tiering;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Store.Tests.Tiering;

public sealed class ColdTierTests(ITestOutputHelper output)
{
    private static readonly string Long = new('v', 500);

    [Fact]
    public void A_value_leaves_memory_and_comes_back_with_its_expiry()
    {
        using TieredStore tiered = new();
        long expiresAtMs = tiered.Time.NowMs + 10_000;
        tiered.Client.Set("k", Long, expiresAtMs);
        Assert.Equal(1, TierSweep.MoveAll(tiered.Store));
        Assert.Equal(1, tiered.Tier.Statistics.ColdKeys);
        Assert.Equal(0, tiered.Device.Reads);
        Assert.Equal(expiresAtMs, ExpiryOf(tiered, "k"));
        Assert.True(Exists(tiered, "k"));
        Assert.Equal(0, tiered.Device.Reads);
        Assert.Equal(Long, tiered.Get("k"));
        Assert.Equal(1, tiered.Device.Reads);
        Assert.Equal(expiresAtMs, ExpiryOf(tiered, "k"));
        Assert.Equal(Long, tiered.Client.Get("k"));
        TierSweep.Check(tiered.Store);
    }

    [Fact]
    public void A_cold_key_takes_at_most_fifty_bytes_of_memory()
    {
        using TieredStore tiered = new();
        const int keys = 2000;
        for (int i = 0; i < keys; i++)
            tiered.Client.Set($"key-{i:D12}", Long);
        Assert.Equal(keys, TierSweep.MoveAll(tiered.Store));
        // The record; the index takes 15 to 17 bytes beside.
        Assert.True(
            tiered.Store.Statistics.LiveRecordBytes <= keys * 33L,
            $"{tiered.Store.Statistics.LiveRecordBytes / (double)keys} bytes a key"
        );
    }

    [Fact]
    public void The_one_value_that_can_move_is_found_among_many_that_cannot()
    {
        using TieredStore tiered = new(64 << 20, sizes: TierSweep.SmallSizes with { MaxValueBytes = 200 });
        for (int i = 0; i < 5000; i++)
            tiered.Client.Set($"long-{i}", Long);
        tiered.Client.Set("short", new string('s', 150));
        StoreSession session = tiered.Client.Session;
        session.EnterBatch();
        long freed = new KeyEvictor(tiered.Store).TryEvict(session, tiered.Store.Eviction);
        session.LeaveBatch();
        Assert.Equal(150, freed);
        TierSweep.Settle(tiered.Tier);
        Assert.Equal(1, tiered.Tier.Statistics.ColdKeys);
    }

    [Fact]
    public void A_value_that_is_needed_while_it_is_written_stays()
    {
        using TieredStore tiered = new();
        tiered.Client.Set("k", Long);
        tiered.Device.Holds = true;
        Begin(tiered);
        Assert.Equal(Long, tiered.Get("k"));
        tiered.Device.Holds = false;
        tiered.Device.Answer();
        TierSweep.Settle(tiered.Tier);
        Assert.Equal(0, tiered.Tier.Statistics.ColdKeys);
        Assert.Equal(0, tiered.Tier.LeavingBytes);
        Assert.Equal(Long, tiered.Client.Get("k"));
    }

    [Fact]
    public void A_command_that_saw_the_value_in_memory_keeps_it_until_it_ends()
    {
        using TieredStore tiered = new();
        tiered.Client.Set("k", Long);
        byte[] key = "k"u8.ToArray();
        using StoreSession reader = tiered.Store.OpenSession();
        reader.EnterBatch();
        Assert.Equal(ColdOutcome.Warm, ColdKeys.Prepare(reader, [new KeyReference(0, reader.Hash(key))], out _));
        Begin(tiered);
        for (int i = 0; i < 10; i++)
            tiered.Tier.Mover.Run(publishes: true);
        Assert.Equal(0, tiered.Tier.Statistics.ColdKeys);
        var copy = new StoreClient.CopyingReader();
        Assert.Equal(ReadOutcome.Found, reader.Reads.Read(key, reader.Hash(key), RecordType.String, ref copy));
        reader.LeaveBatch();
        TierSweep.Settle(tiered.Tier);
        Assert.Equal(1, tiered.Tier.Statistics.ColdKeys);
    }

    // Marked, needed and marked again: the first move must not publish what the second one has to wait for.
    [Fact]
    public void A_move_does_not_complete_another_one()
    {
        using TieredStore tiered = new();
        tiered.Client.Set("k", Long);
        byte[] key = "k"u8.ToArray();
        tiered.Device.Holds = true;
        Begin(tiered);
        tiered.Tier.BeginWrites(isForced: true);
        using StoreSession reader = tiered.Store.OpenSession();
        reader.EnterBatch();
        Assert.Equal(ColdOutcome.Warm, ColdKeys.Prepare(reader, [new KeyReference(0, reader.Hash(key))], out _));
        Begin(tiered);
        tiered.Device.Answer();
        for (int i = 0; i < 10; i++)
            tiered.Tier.Mover.Run(publishes: true);
        var copy = new StoreClient.CopyingReader();
        Assert.Equal(ReadOutcome.Found, reader.Reads.Read(key, reader.Hash(key), RecordType.String, ref copy));
        reader.LeaveBatch();
        tiered.Device.Holds = false;
        tiered.Device.Answer();
        TierSweep.Settle(tiered.Tier);
        Assert.Equal(1, tiered.Tier.Statistics.ColdKeys);
        Assert.Equal(Long, tiered.Get("k"));
        TierSweep.Check(tiered.Store);
    }

    [Fact]
    public void Who_meets_a_value_on_disk_unprepared_throws()
    {
        using TieredStore tiered = new();
        tiered.Client.Set("k", Long);
        TierSweep.MoveAll(tiered.Store);
        Assert.Throws<ColdValueException>(() => tiered.Client.Get("k"));
        tiered.Client.Session.LeaveBatch();
        Assert.Equal(Long, tiered.Get("k"));
    }

    [Fact]
    public void Who_excludes_all_others_reads_at_once()
    {
        using TieredStore tiered = new();
        tiered.Client.Set("k", Long);
        TierSweep.MoveAll(tiered.Store);
        string? value = null;
        tiered.Client.Session.RunExclusive(() =>
        {
            var reader = new StoreClient.CopyingReader();
            StoreSession session = tiered.Client.Session;
            session.Reads.Read("k"u8, session.Hash("k"u8), RecordType.String, ref reader);
            value = Encoding.UTF8.GetString(reader.Value);
        });
        Assert.Equal(Long, value);
        Assert.Equal(1, tiered.Tier.Statistics.ReadsUnderBarrier);
        TierSweep.Check(tiered.Store);
    }

    [Theory]
    [InlineData("overwrite")]
    [InlineData("delete")]
    [InlineData("expire")]
    [InlineData("flush")]
    [InlineData("new expiry")]
    public void What_a_key_had_on_disk_is_free_when_nothing_refers_to_it(string how)
    {
        using TieredStore tiered = new();
        tiered.Client.Set("k", Long, how == "expire" ? tiered.Time.NowMs + 10 : -1);
        TierSweep.MoveAll(tiered.Store);
        switch (how)
        {
            case "overwrite":
                tiered.Client.Set("k", "short");
                break;
            case "delete":
                Assert.True(tiered.Client.Delete("k"));
                break;
            case "expire":
                tiered.Time.Advance(1000);
                Assert.False(Exists(tiered, "k"));
                for (int i = 0; i < 100 && tiered.Tier.Statistics.ColdKeys > 0; i++)
                    tiered.Store.Maintenance.Run();
                break;
            case "flush":
                tiered.Store.Databases.Flush(tiered.Client.Session, 0);
                for (int i = 0; i < 100 && tiered.Tier.Statistics.ColdKeys > 0; i++)
                    tiered.Store.Maintenance.Run();
                break;
            case "new expiry":
                SetExpiry(tiered, "k", tiered.Time.NowMs + 5000);
                Assert.Equal(1, tiered.Tier.Statistics.ColdKeys);
                TierSweep.Check(tiered.Store);
                Assert.Equal(Long, tiered.Get("k"));
                break;
        }

        Assert.Equal(0, tiered.Tier.Statistics.ColdKeys);
        Assert.Equal(0, tiered.Tier.Segments.LiveBytes);
        TierSweep.Check(tiered.Store);
    }

    [Fact]
    public void A_write_that_fails_loses_nothing()
    {
        using TieredStore tiered = new();
        for (int i = 0; i < 100; i++)
            tiered.Client.Set($"k{i}", Long + i);
        tiered.Device.WriteError = 5;
        for (int i = 0; i < 100; i++)
            Begin(tiered);
        Assert.Equal(0, tiered.Tier.Statistics.ColdKeys);
        Assert.True(tiered.Tier.Statistics.WriteErrors > 0);
        Assert.True(tiered.Tier.IsFailing);
        for (int i = 0; i < 100; i++)
            Assert.Equal(Long + i, tiered.Client.Get($"k{i}"));
        Assert.Equal(0, tiered.Tier.LeavingBytes);
    }

    [Fact]
    public void A_value_that_cannot_be_read_is_an_error_and_can_be_overwritten()
    {
        using TieredStore tiered = new();
        tiered.Client.Set("k", Long);
        TierSweep.MoveAll(tiered.Store);
        tiered.Device.ReadError = 5;
        Assert.Contains("Failed", Assert.Throws<InvalidOperationException>(() => tiered.Get("k")).Message, StringComparison.Ordinal);
        tiered.Device.ReadError = 0;
        Assert.Equal(Long, tiered.Get("k"));
        TierSweep.MoveAll(tiered.Store);
        tiered.Device.Garble();
        Assert.Contains("Failed", Assert.Throws<InvalidOperationException>(() => tiered.Get("k")).Message, StringComparison.Ordinal);
        tiered.Client.Set("k", "new");
        Assert.Equal("new", tiered.Get("k"));
        TierSweep.Check(tiered.Store);
    }

    [Fact]
    public void A_disk_that_does_not_answer_is_an_error_and_its_late_answer_does_no_harm()
    {
        using TieredStore tiered = new(sizes: TierSweep.SmallSizes with { ReadTimeoutSeconds = 0 });
        tiered.Client.Set("k", Long);
        TierSweep.MoveAll(tiered.Store);
        tiered.Device.Holds = true;
        Assert.Equal(ColdOutcome.Wait, Prepare(tiered, ["k"], out Task? wait));
        while (!wait!.IsCompleted)
            tiered.Tier.Mover.Run();
        Assert.Equal(ColdOutcome.Failed, Prepare(tiered, ["k"], out _));
        Assert.Equal(1, tiered.Tier.Statistics.ReadErrors);
        tiered.Device.Holds = false;
        tiered.Device.Answer();
        Assert.Equal(0, tiered.Tier.Loads.Bytes);
        Assert.Equal(Long, tiered.Get("k"));
    }

    [Fact]
    public void What_commands_read_is_bounded()
    {
        using TieredStore tiered = new(sizes: TierSweep.SmallSizes with { MaxBytes = 64 << 20, SegmentBytes = 1 << 20 });
        string[] keys = [.. Enumerable.Range(0, 4000).Select(static i => $"k{i}")];
        foreach (string key in keys)
            tiered.Client.Set(key, new string('v', 6000));
        Assert.Equal(keys.Length, TierSweep.MoveAll(tiered.Store));
        Assert.Equal(ColdOutcome.TooLarge, Prepare(tiered, keys, out _));
        Assert.Equal(0, tiered.Device.Reads);
        // Two that would fit alone: the second one begins when the first has taken its values.
        Assert.Equal(ColdOutcome.Wait, Prepare(tiered, keys[..2000], out Task? first));
        Assert.True(first!.IsCompleted);
        Assert.Equal(ColdOutcome.Wait, Prepare(tiered, keys[2000..3500], out Task? second));
        Assert.False(second!.IsCompleted);
        Assert.Equal(2000, tiered.Device.Reads);
        Assert.Equal(ColdOutcome.Warm, Prepare(tiered, keys[..2000], out _));
        Assert.True(second.IsCompleted);
        Assert.Equal(ColdOutcome.Wait, Prepare(tiered, keys[2000..3500], out _));
        Assert.Equal(ColdOutcome.Warm, Prepare(tiered, keys[2000..3500], out _));
        Assert.Equal(3500, tiered.Device.Reads);
        Assert.Equal(0, tiered.Tier.Loads.Bytes);
    }

    [Fact]
    public void Segments_are_cleaned_and_used_again()
    {
        using TieredStore tiered = new();
        int[] versions = new int[1000];
        var random = new Random(3);
        // Ten times what fits on the disk.
        for (int round = 0; round < 80; round++)
        {
            for (int i = 0; i < 1000; i++)
            {
                int key = random.Next(1000);
                tiered.Client.Set($"k{key}", $"{Long}{++versions[key]}");
            }

            TierSweep.MoveAll(tiered.Store);
            tiered.Tier.Mover.Run(publishes: true);
        }

        Assert.True(tiered.Device.Written > 5 * TierSweep.SmallSizes.MaxBytes);
        TierSweep.Check(tiered.Store);
        for (int key = 0; key < 1000; key++)
            Assert.Equal(versions[key] == 0 ? null : $"{Long}{versions[key]}", tiered.Get($"k{key}"));
        Assert.False(tiered.Tier.Segments.IsShort);
    }

    [Fact]
    public void A_full_disk_takes_no_more_values()
    {
        using TieredStore tiered = new();
        for (int i = 0; i < 20_000; i++)
            tiered.Client.Set($"k{i}", Long);
        TierSweep.MoveAll(tiered.Store);
        Assert.True(tiered.Tier.Segments.IsFull);
        Assert.False(tiered.Tier.IsTaking);
        for (int i = 0; i < 20_000; i += 100)
            Assert.Equal(Long, tiered.Get($"k{i}"));
        TierSweep.Check(tiered.Store);
    }

    [Fact]
    public void A_full_disk_drops_the_oldest_values_where_keys_may_be_evicted()
    {
        using TieredStore tiered = new(maxMemory: 64 << 20, policy: EvictionPolicy.AllKeysLru);
        for (int i = 0; i < 40_000; i++)
        {
            tiered.Client.Set($"k{i}", Long);
            if (i % 1000 == 999)
            {
                TierSweep.MoveAll(tiered.Store);
                tiered.Tier.Mover.Run(publishes: true);
            }
        }

        Assert.True(tiered.Tier.Statistics.Deleted > 10_000);
        Assert.Null(tiered.Get("k0"));
        Assert.Equal(Long, tiered.Get("k39999"));
        TierSweep.Check(tiered.Store);
    }

    // Sets, reads, deletes, expiries, moves that are begun, written, answered, garbled or failed, and cleaning: against a dictionary.
    [Theory]
    [InlineData(50, 6000)]
    [InlineData(1500, 12_000)]
    public void Random_histories_agree_with_a_dictionary(int keys, int steps)
    {
        int seed = TestSeed.ChooseAnew(output);
        var random = new Random(seed);
        using TieredStore tiered = new();
        Dictionary<string, (string Value, long Expires)> model = [];
        for (int step = 0; step < steps; step++)
        {
            string key = "k" + random.Next(keys);
            if (model.TryGetValue(key, out (string Value, long Expires) old) && old.Expires >= 0 && tiered.Time.NowMs > old.Expires)
                model.Remove(key);
            switch (random.Next(12))
            {
                case 0 or 1 or 2:
                    string value = new string((char)('a' + random.Next(26)), random.Next(random.Next(3) == 0 ? 3000 : 200)) + step;
                    long expires = random.Next(4) == 0 ? tiered.Time.NowMs + random.Next(1, 500) : -1;
                    tiered.Client.Set(key, value, expires);
                    model[key] = (value, expires);
                    break;
                case 3:
                    Assert.Equal(model.Remove(key), tiered.Client.Delete(key));
                    break;
                case 4 when model.ContainsKey(key):
                    expires = random.Next(2) == 0 ? -1 : tiered.Time.NowMs + random.Next(1, 500);
                    SetExpiry(tiered, key, expires);
                    model[key] = (model[key].Value, expires);
                    break;
                case 5:
                    Begin(tiered, random.Next(1, 40), random);
                    break;
                case 6:
                    // Cleaning waits for the disk.
                    tiered.Device.Holds = !tiered.Tier.Segments.IsShort && random.Next(2) == 0;
                    if (!tiered.Device.Holds)
                        tiered.Device.Answer();
                    tiered.Tier.Mover.Run(publishes: random.Next(2) == 0);
                    break;
                case 7:
                    tiered.Device.WriteError = random.Next(8) == 0 ? 28 : 0;
                    tiered.Device.Answer();
                    break;
                case 8:
                    tiered.Store.Maintenance.Run();
                    tiered.Time.Advance(random.Next(20));
                    break;
                default:
                    tiered.Device.Holds = false;
                    tiered.Device.Answer();
                    Assert.Equal(model.TryGetValue(key, out old) ? old.Value : null, tiered.Get(key));
                    break;
            }
        }

        tiered.Device.Holds = false;
        tiered.Device.Answer();
        TierSweep.Settle(tiered.Tier);
        TierSweep.Check(tiered.Store);
        foreach ((string key, (string value, long expires)) in model)
            Assert.Equal(expires >= 0 && tiered.Time.NowMs > expires ? null : value, tiered.Get(key));
        TierSweep.Check(tiered.Store);
        Assert.Equal(0, tiered.Tier.LeavingBytes);
    }

    // Ten times more data than memory; every thread writes its own keys and reads all. A key's numbers only grow.
    [Fact]
    public void Threads_see_no_value_older_than_one_they_saw()
    {
        const int threads = 4;
        const int keys = 3000;
        const int steps = 12_000;
        using TieredStore tiered = new(
            maxMemory: 4 << 20,
            sizes: TierSweep.SmallSizes with
            {
                MaxBytes = 64 << 20,
                SegmentBytes = 1 << 20,
                BufferBytes = 64 << 10,
            }
        );
        tiered.Store.Maintenance.Start();
        tiered.Tier.Mover.Start();
        long[] written = new long[threads * keys];
        Parallel.For(
            0,
            threads,
            new ParallelOptions { MaxDegreeOfParallelism = threads },
            thread =>
            {
                var random = new Random(thread);
                using StoreSession session = tiered.Store.OpenSession();
                for (int step = 1; step <= steps; step++)
                {
                    int own = (thread * keys) + random.Next(keys);
                    byte[] key = Encoding.ASCII.GetBytes($"k{own}");
                    // As a client does: else the writers are done before the tier's thread had its first turn.
                    session.EnterBatch();
                    while (session.Memory.MustWait(3000))
                    {
                        session.LeaveBatch();
                        tiered.Store.Budget.WaitAsync().Wait();
                        session.EnterBatch();
                    }

                    session.Memory.TryReserve(3000);
                    session.Open(0, key, session.Hash(key)).Set(Encoding.ASCII.GetBytes($"{step} {new string('v', random.Next(2500))}"));
                    session.LeaveBatch();
                    Volatile.Write(ref written[own], step);
                    int other = random.Next(threads * keys);
                    long least = Volatile.Read(ref written[other]);
                    byte[]? value = TieredStore.Read(session, Encoding.ASCII.GetBytes($"k{other}"));
                    long found = value is null ? 0 : long.Parse(Encoding.ASCII.GetString(value).Split(' ')[0]);
                    Assert.True(found >= least, $"k{other}: {found} after {least}");
                }
            }
        );
        Assert.True(tiered.Tier.Statistics.MovedOut > keys);
        Assert.True(tiered.Tier.Statistics.MovedIn > 100);
        for (int i = 0; i < written.Length; i++)
            Assert.Equal(written[i] > 0, tiered.Get($"k{i}") is not null);
    }

    // The first step for everything, or for some keys; nothing is written yet.
    private static unsafe void Begin(TieredStore tiered, int most = int.MaxValue, Random? random = null)
    {
        HybridLogStore store = tiered.Store;
        using StoreSession session = store.OpenSession();
        session.EnterBatch();
        for (long page = 1; page <= store.Log.HighPage && most > 0; page++)
        {
            var walk = new Maintenance.PageWalk(store, page);
            while (store.Log.Info(page)->State != Log.PageInfo.Free && most > 0 && walk.MoveNext())
            {
                if (random?.Next(4) > 0 || !walk.TryLatch())
                    continue;
                most -=
                    tiered.Tier.TryLeave(store.Index.FindEntry(walk.Bucket, walk.Address), walk.Record, walk.Header, walk.Salted) > 0
                        ? 1
                        : 0;
                walk.Release();
            }
        }

        session.LeaveBatch();
        if (random is null)
            tiered.Tier.Mover.Run(publishes: true);
    }

    private static ColdOutcome Prepare(TieredStore tiered, string[] keys, out Task? wait)
    {
        StoreSession session = tiered.Client.Session;
        session.EnterBatch();
        KeyReference[] references = [.. keys.Select(key => new KeyReference(0, session.Hash(Encoding.UTF8.GetBytes(key))))];
        ColdOutcome outcome = ColdKeys.Prepare(session, references, out wait);
        session.LeaveBatch();
        return outcome;
    }

    private static bool Exists(TieredStore tiered, string key)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(key);
        StoreSession session = tiered.Client.Session;
        session.EnterBatch();
        bool exists = session.Reads.Exists(bytes, session.Hash(bytes));
        session.LeaveBatch();
        return exists;
    }

    private static long ExpiryOf(TieredStore tiered, string key)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(key);
        StoreSession session = tiered.Client.Session;
        session.EnterBatch();
        long expires = session.Open(0, bytes, session.Hash(bytes)).ExpiresAtMs;
        session.LeaveBatch();
        return expires;
    }

    private static void SetExpiry(TieredStore tiered, string key, long expiresAtMs)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(key);
        StoreSession session = tiered.Client.Session;
        session.EnterBatch();
        session.Open(0, bytes, session.Hash(bytes)).SetExpiry(expiresAtMs);
        session.LeaveBatch();
    }
}
