// Watched keys: every real change touches the watcher, nothing else does.
using System.Text;
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
    public void Creating_changing_and_deleting_touch()
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
    public void Neighbours_splits_and_cleaning_do_not_touch()
    {
        _other.Set("watched", "1");
        KeyWatcher watcher = Watch("watched");
        for (int i = 0; i < 20_000; i++)
        {
            _other.Set("key" + i, new string('x', i % 50));
        }

        for (int i = 0; i < 20_000; i++)
        {
            _other.Delete("key" + i);
        }

        while (_store.RunMaintenance())
        {
        }

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
    public void Expiring_after_the_watch_touches_but_a_key_expired_before_does_not()
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
    public void Flushing_and_swapping_touch_those_whose_key_changes()
    {
        _other.Set("here", "1");
        _other.Set("there", "1", database: 1);
        KeyWatcher here = Watch("here");
        KeyWatcher there = Watch("there");
        KeyWatcher absent = Watch("absent");
        _store.SwapDatabases(_other.Session, 0, 1);
        Assert.True(here.IsTouched);
        Assert.True(there.IsTouched);
        Assert.False(absent.IsTouched);
        there = Watch("there");
        KeyWatcher nothing = Watch("here");
        _store.FlushAll(_other.Session);
        Assert.True(there.IsTouched);
        Assert.False(nothing.IsTouched);
        _other.Set("absent", "now");
        Assert.True(absent.IsTouched);
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
        _watching.Session.Watch(0, bytes, _watching.Session.Hash(bytes), watcher);
        _watching.Session.LeaveBatch();
        return watcher;
    }

    private void Unwatch(KeyWatcher watcher)
    {
        _watching.Session.EnterBatch();
        _watching.Session.Unwatch(watcher);
        _watching.Session.LeaveBatch();
    }
}
