// The keys a client watches for its next EXEC. Used by the client's thread alone; the watcher's flag is set by writers under the key's
// latch.
using Garnet.Store;
using Garnet.Store.Watching;

namespace Garnet.Engine.Rules;

/// <summary>Keys under WATCH, with one shared touched flag.</summary>
internal sealed class WatchedKeys(StoreSession store)
{
    private readonly KeyWatcher _watcher = new();

    /// <summary>True when a watched key changed, or expired, since it was watched.</summary>
    public bool IsTouched => _watcher.IsTouched;

    /// <summary>Number of keys watched; zero once one of them changed, since nothing is left to detect.</summary>
    public int Count => IsTouched ? 0 : _watcher.Count;

    /// <summary>Memory of the keys and of what is kept for each.</summary>
    public long MemoryBytes => _watcher.MemoryBytes;

    /// <summary>Watches a key of the current database; repeating it has no effect.</summary>
    public void Add(ReadOnlySpan<byte> key) => store.Store.Watches.Watch(store, store.Database, key, store.Hash(key), _watcher);

    /// <summary>
    /// Stops watching all keys, inside a batch or outside. If the caller holds latches they must include those of all watched keys.
    /// </summary>
    public void Clear()
    {
        if (_watcher.Count == 0)
            return;
        using StoreVisit visit = new(store);
        store.Store.Watches.Unwatch(store, _watcher);
    }

    /// <summary>Adds the watched keys to those that a transaction latches.</summary>
    internal void AddTo(List<KeyReference> latched) => _watcher.AddKeysTo(latched);
}
