// One watcher of keys (a client's WATCH, or the queue of clients blocked on a key). Touched by any thread; otherwise used by its owner's
// thread.
using Garnet.Store.Changes;

namespace Garnet.Store.Watching;

/// <summary>
/// Records whether one of the keys passed to <see cref="WatchTable.Watch(StoreSession, int, ReadOnlySpan{byte}, ulong, KeyWatcher)"/> has changed
/// since. One per client; reusable after <see cref="WatchTable.Unwatch"/>.
/// </summary>
/// <param name="observer">Notified of every touch, or null.</param>
internal sealed class KeyWatcher(IKeyObserver? observer = null)
{
    private const int FewKeys = 8;
    private const int MaxKeptKeys = 1024;

    // A watch, the key's own object and its entries in lists and tables.
    private const int BytesPerKey = 200;
    private List<Watch> _watches = [];
    private HashSet<WatchedKey>? _many;
    private volatile bool _isTouched;
    private HybridLogStore? _store;
    private long _earliestExpiryMs = long.MaxValue;
    private long _memoryBytes;

    /// <summary>
    /// True when a watched key was created, changed, deleted or flushed, or has expired, since it was watched. Keys that had already
    /// expired do not count.
    /// </summary>
    public bool IsTouched => _isTouched || (_earliestExpiryMs != long.MaxValue && _store!.Clock.ReadMs() > _earliestExpiryMs);

    /// <summary>Number of keys watched, including those that have changed since.</summary>
    public int Count => _watches.Count;

    /// <summary>Approximate memory of the watches, counting a key fully for each of its watchers. Any thread.</summary>
    public long MemoryBytes => Volatile.Read(ref _memoryBytes);

    /// <summary>Without an observer, only the first touch matters.</summary>
    internal bool HasObserver => observer is not null;

    /// <summary>True when further keys would make no difference.</summary>
    internal bool IsDecided => _isTouched && observer is null;

    /// <summary>Its watches, oldest first.</summary>
    internal List<Watch> Watches => _watches;

    /// <summary>Adds the watched keys to a list, for a caller that wants to latch them.</summary>
    public void AddKeysTo(List<KeyReference> keys)
    {
        ArgumentNullException.ThrowIfNull(keys);
        foreach (Watch watch in _watches)
            keys.Add(new KeyReference(watch.Key.Database, watch.Key.Hash));
    }

    internal void Add(Watch watch)
    {
        _watches.Add(watch);
        Volatile.Write(ref _memoryBytes, _memoryBytes + BytesPerKey + watch.Key.Key.Length);
        if (_many is not null)
        {
            _many.Add(watch.Key);
        }
        else if (_watches.Count > FewKeys)
        {
            _many = new HashSet<WatchedKey>(_watches.Count * 2);
            foreach (Watch each in _watches)
                _many.Add(each.Key);
        }
    }

    /// <summary>True when it already watches the key; fast even with thousands of keys.</summary>
    internal bool HasWatchOf(WatchedKey key)
    {
        if (_many is not null)
            return _many.Contains(key);
        foreach (Watch watch in _watches)
        {
            if (watch.Key == key)
                return true;
        }

        return false;
    }

    internal void Touch(KeyChangeKind kind)
    {
        if (kind.FailsWatch())
            _isTouched = true;
        if (kind.WakesWaiters())
            observer?.OnTouched();
    }

    // An expiry set later than the watch needs no note: setting it touched the watcher.
    internal void ScheduleExpiry(HybridLogStore store, long expiresAtMs)
    {
        _store = store;
        _earliestExpiryMs = Math.Min(_earliestExpiryMs, expiresAtMs);
    }

    internal void Reset()
    {
        _isTouched = false;
        Volatile.Write(ref _memoryBytes, 0);
        _earliestExpiryMs = long.MaxValue;
        _many = null;
        if (_watches.Capacity > MaxKeptKeys)
            _watches = [];
        else
            _watches.Clear();
    }
}
