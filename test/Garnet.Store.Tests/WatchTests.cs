// Watched keys: every actual change invalidates the watch, nothing else does.
using System.Text;
using Garnet.Store.Index;
using Garnet.Store.Watching;
using Garnet.Testing;
using Xunit;

namespace Garnet.Store.Tests;

public sealed class WatchTests : IDisposable
{
    private readonly VirtualTime _time = new();
    private readonly HybridLogStore _store;
    private readonly StoreClient _watching;
    private readonly StoreClient _other;

    public WatchTests()
    {
        _store = new HybridLogStore(new StoreOptions { PageSizeBits = 16 }, _time);
        _watching = new StoreClient(_store);
        _other = new StoreClient(_store);
    }

    [Fact]
    public void Creating_changing_and_deleting_invalidate_a_watch()
    {
        KeyWatcher watcher = Watch("new");
        _other.Set("new", "1");
        Assert.True(watcher.IsTouched);
        watcher = Watch("new");
        _other.Append("new"u8.ToArray(), "2"u8.ToArray());
        Assert.True(watcher.IsTouched);
        watcher = Watch("new");
        Assert.True(_other.Delete("new"));
        Assert.True(watcher.IsTouched);
        watcher = Watch("new");
        Assert.False(_other.Delete("new"));
        Assert.Null(_other.Get("new"));
        Assert.False(watcher.IsTouched);
    }

    [Fact]
    public void Changes_of_neighbours_splits_and_compaction_do_not_invalidate_a_watch()
    {
        _other.Set("watched", "1");
        KeyWatcher watcher = Watch("watched");
        for (int i = 0; i < 20_000; i++)
            _other.Set("key" + i, new string('x', i % 50));

        for (int i = 0; i < 20_000; i++)
            _other.Delete("key" + i);

        while (_store.Maintenance.Run()) { }

        Assert.False(watcher.IsTouched);
        _other.Set("watched", "2");
        Assert.True(watcher.IsTouched);
    }

    [Fact]
    public void Unwatching_ends_it_and_the_watcher_can_be_used_again()
    {
        KeyWatcher watcher = Watch("a");
        Unwatch(watcher);
        _other.Set("a", "1");
        Assert.False(watcher.IsTouched);
        Watch("a", watcher);
        _other.Set("a", "2");
        Assert.True(watcher.IsTouched);
        Unwatch(watcher);
        Assert.False(watcher.IsTouched);
    }

    [Fact]
    public void Expiry_after_the_watch_invalidates_it_but_expiry_before_does_not()
    {
        _other.Set("later", "1", _time.NowMs + 10);
        _other.Set("gone", "1", _time.NowMs);
        _time.Advance(5);
        KeyWatcher gone = Watch("gone");
        KeyWatcher later = Watch("later");
        Assert.Null(_other.Get("gone"));
        Assert.Equal(1, _store.Statistics.ExpiredKeys);
        Assert.False(gone.IsTouched);
        Assert.False(later.IsTouched);
        _time.Advance(6);
        Assert.True(later.IsTouched);
        _other.Set("gone", "2");
        Assert.True(gone.IsTouched);
    }

    [Fact]
    public void Flushing_and_swapping_invalidate_watches_of_changed_keys()
    {
        _other.Set("here", "1");
        _other.Set("there", "1", database: 1);
        KeyWatcher here = Watch("here");
        KeyWatcher there = Watch("there");
        KeyWatcher absent = Watch("absent");
        _store.Databases.Swap(_other.Session, 0, 1);
        Assert.True(here.IsTouched);
        Assert.True(there.IsTouched);
        Assert.False(absent.IsTouched);
        there = Watch("there");
        KeyWatcher nothing = Watch("here");
        _store.Databases.FlushAll(_other.Session);
        Assert.True(there.IsTouched);
        Assert.False(nothing.IsTouched);
        _other.Set("absent", "now");
        Assert.True(absent.IsTouched);
    }

    [Fact]
    public void A_key_watched_again_and_again_has_one_watch()
    {
        var watcher = new KeyWatcher();
        for (int round = 0; round < 3; round++)
        {
            for (int i = 0; i < 100; i++)
                Watch("key" + i, watcher);
        }

        Assert.Equal(100, watcher.Count);
        var keys = new List<KeyReference>();
        watcher.AddKeysTo(keys);
        Assert.Equal(100, keys.Distinct().Count());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(30_000)]
    public void Observer_bits_are_cleared_with_the_last_watch_of_a_bucket(int fill)
    {
        FillIndex(fill);
        var many = new KeyWatcher();
        for (int i = 0; i < 5_000; i++)
            Watch("many" + i, many);
        KeyWatcher one = Watch("one");
        Unwatch(one);
        Unwatch(many);
        Assert.Equal(0, ObservedBuckets());
    }

    [Fact]
    public void A_watcher_is_notified_once_and_adds_no_cost_to_later_writes()
    {
        KeyWatcher[] watchers = [.. Enumerable.Range(0, 100).Select(_ => Watch("hot"))];
        _other.Set("hot", "1");
        Assert.All(watchers, static watcher => Assert.True(watcher.IsTouched));
        Assert.Equal(0, ObservedBuckets());
        Array.ForEach(watchers, Unwatch);
        Assert.False(watchers[0].IsTouched);
    }

    // The bits move with splits and merges, and are checked differently in shallow and deep buckets.
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Random_watches_are_invalidated_exactly_by_changes_of_their_keys_while_the_index_grows_and_shrinks(int seed)
    {
        seed = TestSeed.Choose(seed);
        var random = new Random(seed);
        var watchers = new KeyWatcher[40];
        var watched = new HashSet<int>[watchers.Length];
        for (int i = 0; i < watchers.Length; i++)
            (watchers[i], watched[i]) = (new KeyWatcher(), []);
        for (int step = 0; step < 6_000; step++)
        {
            int who = random.Next(watchers.Length);
            int key = random.Next(200);
            switch (random.Next(step % 1_000 < 500 ? 6 : 7))
            {
                case 0 or 1 or 2 when !watchers[who].IsTouched:
                    Watch("key" + key, watchers[who]);
                    watched[who].Add(key);
                    break;
                case 3:
                    Unwatch(watchers[who]);
                    watched[who].Clear();
                    break;
                case 4 when random.Next(8) == 0:
                    _other.Set("key" + key, "value");
                    for (int i = 0; i < watchers.Length; i++)
                    {
                        Assert.True(
                            watchers[i].IsTouched || !watched[i].Contains(key),
                            $"Seed {seed}, step {step}: a change went unnoticed."
                        );
                    }

                    MarkTouched(watchers, watched, key);
                    break;
                case 5 when random.Next(50) == 0:
                    FillIndex(random.Next(12_000));
                    break;
                case 6 when random.Next(50) == 0:
                    EmptyIndex();
                    break;
            }

            for (int i = 0; i < watchers.Length; i++)
                Assert.True(!watchers[i].IsTouched || watched[i].Contains(-1), $"Seed {seed}, step {step}: touched without a change.");
        }

        Array.ForEach(watchers, Unwatch);
        for (int i = 0; i < 200; i++)
            _other.Set("key" + i, "last");
    }

    public void Dispose()
    {
        _watching.Dispose();
        _other.Dispose();
        _store.Dispose();
    }

    private KeyWatcher Watch(string key, KeyWatcher? watcher = null)
    {
        watcher ??= new KeyWatcher();
        byte[] bytes = Encoding.UTF8.GetBytes(key);
        _watching.Session.EnterBatch();
        _watching.Session.Store.Watches.Watch(_watching.Session, 0, bytes, _watching.Session.Hash(bytes), watcher);
        _watching.Session.LeaveBatch();
        return watcher;
    }

    // -1 means invalidated: the watcher stays so until its watches end.
    private static void MarkTouched(KeyWatcher[] watchers, HashSet<int>[] watched, int key)
    {
        for (int i = 0; i < watchers.Length; i++)
        {
            if (watched[i].Contains(key))
                watched[i].Add(-1);
        }
    }

    private void FillIndex(int keys)
    {
        for (int i = 0; i < keys; i++)
            _other.Set("fill" + i, "");
    }

    private void EmptyIndex()
    {
        for (int i = 0; i < 12_000; i++)
            _other.Delete("fill" + i);
        while (_store.Maintenance.Run()) { }
    }

    private unsafe int ObservedBuckets()
    {
        int observed = 0;
        for (long bucket = 0; bucket < _store.Index.Count; bucket++)
            observed += (*BucketLayout.Word(_store.Index.Bucket(bucket)) & BucketWord.Observed) != 0 ? 1 : 0;
        return observed;
    }

    private void Unwatch(KeyWatcher watcher)
    {
        _watching.Session.EnterBatch();
        _watching.Session.Store.Watches.Unwatch(_watching.Session, watcher);
        _watching.Session.LeaveBatch();
    }
}
