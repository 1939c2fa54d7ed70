// The keys a client watches for its next EXEC. Used by the client's thread alone; the watcher's flag is set by writers under the key's latch.
using Garnet.Store;

namespace Garnet.Server.Transactions;

/// <summary>Keys under WATCH, with one touched-flag for all of them.</summary>
public sealed class WatchedKeys(StoreSession store)
{
    private KeyWatcher? watcher;

    /// <summary>True when a watched key changed since it was watched.</summary>
    public bool IsTouched => watcher is { IsTouched: true };

    /// <summary>Watches a key of the current database; watching it twice is once.</summary>
    public void Add(ReadOnlySpan<byte> key) =>
        store.Watch(store.Database, key, store.Hash(key), watcher ??= new KeyWatcher());

    /// <summary>Stops watching everything.</summary>
    public void Clear()
    {
        if (watcher is null)
            return;
        store.Unwatch(watcher);
        watcher = null;
    }
}
