// Snapshots of a store whose values are partly on disk: every key once, as it was at the flip, whatever happens to it meanwhile.
using System.Text;
using Garnet.Store.Snapshots;
using Garnet.Store.Tiering;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Store.Tests.Tiering;

public sealed class ColdSnapshotTests(ITestOutputHelper output)
{
    private const int Keys = 200;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_snapshot_is_the_data_at_its_flip_while_values_leave_return_and_change(bool isSmall)
    {
        int seed = TestSeed.ChooseAnew(output);
        var random = new Random(seed);
        // With little space on disk, segments are cleaned all the time.
        TierOptions sizes = isSmall ? TierSweep.SmallSizes with { MaxBytes = 1 << 20, SegmentBytes = 32 << 10 } : TierSweep.SmallSizes;
        using TieredStore tiered = new(sizes: sizes);
        Dictionary<string, string> model = [];
        for (int round = 0; round < 40; round++)
        {
            for (int i = 0; i < 30; i++)
                Change(tiered, model, random);
            Dictionary<string, string> expected = new(model);
            using TieredSnapshot snapshot = new(tiered, random);
            while (snapshot.Step())
            {
                for (int i = random.Next(6); i > 0; i--)
                    Change(tiered, model, random);
            }

            snapshot.End();
            Assert.Equal(expected, snapshot.Saved);
            TierSweep.Check(tiered.Store);
        }

        Assert.True(tiered.Tier.Statistics.MovedIn > 0);
    }

    [Fact]
    public void A_value_that_is_overwritten_before_it_is_saved_stays_on_disk_until_then()
    {
        using TieredStore tiered = new();
        tiered.Client.Set("k", "old value");
        TierSweep.MoveAll(tiered.Store);
        using TieredSnapshot snapshot = new(tiered, new Random(1));
        tiered.Client.Set("k", "new value");
        Assert.Equal(0, tiered.Tier.Segments.LiveBytes);
        tiered.Tier.Segments.Close(0);
        tiered.Tier.Segments.FreeDead();
        Assert.NotEqual(0, tiered.Tier.Segments.UsedBytes);
        while (snapshot.Step()) { }
        snapshot.End();
        Assert.Equal("old value", snapshot.Saved["k"]);
        tiered.Tier.Segments.FreeDead();
        Assert.Equal(0, tiered.Tier.Segments.UsedBytes);
    }

    [Fact]
    public void A_key_whose_value_cannot_be_read_is_not_saved_as_another()
    {
        using TieredStore tiered = new();
        tiered.Client.Set("k", "value");
        tiered.Client.Set("l", "value");
        TierSweep.MoveAll(tiered.Store);
        using TieredSnapshot snapshot = new(tiered, new Random(1));
        tiered.Device.ReadError = 5;
        while (snapshot.Step()) { }
        snapshot.End();
        Assert.Empty(snapshot.Saved);
        Assert.Equal(2, snapshot.Lost);
    }

    // Writers wait for the snapshot before their first latch; they must not be refused before they ask for that.
    [Fact]
    public void Memory_is_not_exhausted_while_values_cannot_leave_because_of_a_snapshot()
    {
        using TieredStore tiered = new(maxMemory: 2 << 20);
        int keys = 0;
        while (tiered.Store.Budget.Excess(0) <= 0)
            tiered.Client.Set($"k{keys++}", new string('v', 1000));
        using SnapshotBuffer images = new(tiered.Store, 64 << 10);
        StoreSession session = tiered.Client.Session;
        tiered.Store.Snapshots.Begin(session, images);
        for (int i = 0; tiered.Store.Snapshots.HasSpace; i++)
            tiered.Client.Set($"k{i}", "other");
        while (tiered.Store.Budget.Excess(0) <= 0)
            tiered.Client.Set($"k{keys++}", new string('v', 1000));
        session.EnterBatch();
        Assert.True(session.Memory.TryReserve(1000));
        session.LeaveBatch();
        tiered.Store.Snapshots.End(session);
        images.Close();
        Assert.Equal(0, tiered.Tier.Statistics.MovedOut);
    }

    private static void Change(TieredStore tiered, Dictionary<string, string> model, Random random)
    {
        string key = "k" + random.Next(Keys);
        switch (random.Next(10))
        {
            case < 4:
                string value = new((char)random.Next('a', 'z'), random.Next(1, 1500));
                tiered.Client.Set(key, value);
                model[key] = value;
                break;
            case 4:
                tiered.Client.Delete(key);
                model.Remove(key);
                break;
            case 5 or 6:
                Assert.Equal(model.GetValueOrDefault(key), tiered.Get(key));
                break;
            case 7:
                tiered.Store.Maintenance.Run();
                break;
            case 8:
                tiered.Tier.Mover.Run(publishes: true);
                break;
            default:
                TierSweep.MoveAll(tiered.Store);
                break;
        }
    }

    // What a save does, in small steps.
    private sealed class TieredSnapshot : ISnapshotWalker, IDisposable
    {
        private readonly TieredStore _tiered;
        private readonly Random _random;
        private readonly StoreSession _session;
        private readonly SnapshotBuffer _images;
        private readonly ColdWalk _disk;
        private SnapshotCursor _cursor = new() { SkipsCold = true };
        private int _phase;

        public TieredSnapshot(TieredStore tiered, Random random)
        {
            _tiered = tiered;
            _random = random;
            _session = tiered.Store.OpenSession();
            _images = new SnapshotBuffer(tiered.Store, 64L << 20);
            tiered.Store.Snapshots.Begin(_session, _images);
            _disk = new ColdWalk(_session);
        }

        public Dictionary<string, string> Saved { get; } = [];

        public int Lost { get; private set; }

        public bool Step()
        {
            if (_random.Next(4) == 0)
                Drain();
            if (_phase == 1 && !_disk.TryRead())
                _phase++;
            _session.EnterBatch();
            if (_phase == 1)
                _disk.Pass(this, _random.Next(1, 20));
            else if (!_tiered.Store.Snapshots.Walk(_session, ref _cursor, _random.Next(1, 40), this))
                (_phase, _cursor) = (_phase + 1, default);
            _session.LeaveBatch();
            return _phase < 3;
        }

        public void End()
        {
            _tiered.Store.Snapshots.End(_session);
            _images.Close();
            Drain();
        }

        public bool TryTake(in SnapshotImage image)
        {
            if (image.IsCold || _random.Next(2) == 0)
                return false;
            Add(image.Key, image.Value);
            return true;
        }

        public void Dispose()
        {
            _disk.Dispose();
            _images.Dispose();
            _session.Dispose();
        }

        private void Drain()
        {
            while (_images.TryTake(out SnapshotChunk chunk))
            {
                using SavedReads reads = new(_tiered.Tier);
                chunk.FindCold(reads);
                while (chunk.MoveNext())
                {
                    SavedImage image = chunk.Current;
                    if (!image.IsCold)
                        Add(image.Key, image.Value);
                    else if (reads.TryNext(out ReadOnlySpan<byte> value))
                        Add(image.Key, image.With(value).Value);
                    else
                        Lost++;
                }

                chunk.Return();
            }
        }

        private void Add(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value) =>
            Saved.Add(Encoding.UTF8.GetString(key), Encoding.UTF8.GetString(value));
    }
}
