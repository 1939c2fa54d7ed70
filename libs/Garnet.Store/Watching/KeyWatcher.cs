// One watcher of keys (a client's WATCH, or clients that wait for a key). Touched by any thread; otherwise used by its owner's thread.
namespace Garnet.Store;

/// <summary>Remembers whether one of the keys given to <see cref="StoreSession.Watch"/> was changed since. One per client; reusable after <see cref="StoreSession.Unwatch"/>.</summary>
/// <param name="observer">Told of every touch, or null.</param>
public sealed class KeyWatcher(IKeyObserver? observer = null)
{
    private readonly HashSet<(int Database, ulong Hash)> _hashes = [];
    private volatile bool _isTouched;
    private HybridLogStore? _store;
    private long _earliestExpiryMs = long.MaxValue;

    /// <summary>True when a watched key was created, changed, deleted or flushed, or has expired, since it was watched. Keys that had expired before do not count.</summary>
    public bool IsTouched => _isTouched || (_earliestExpiryMs != long.MaxValue && _store!.ReadClockMs() > _earliestExpiryMs);

    /// <summary>The watched keys, in no order.</summary>
    internal List<WatchedKey> Keys { get; } = [];

    internal void Add(WatchedKey watched)
    {
        Keys.Add(watched);
        _hashes.Add((watched.Database, watched.Hash));
    }

    /// <summary>True when the key is watched already. Only keys that share a hash are compared, so that watching thousands stays cheap.</summary>
    internal bool Watches(int database, ulong hash, ReadOnlySpan<byte> key)
    {
        if (!_hashes.Contains((database, hash)))
        {
            return false;
        }

        foreach (WatchedKey known in Keys)
        {
            if (known.Database == database && key.SequenceEqual(known.Key))
            {
                return true;
            }
        }

        return false;
    }

    internal void Touch(bool isLoss = false)
    {
        _isTouched = true;
        if (!isLoss)
            observer?.OnTouched();
    }

    /// <summary>For a change that no WATCH counts: tells the observer alone.</summary>
    internal void Nudge() => observer?.OnTouched();

    // An expiry set later than the watch needs no note: setting it touched the watcher.
    internal void NoteExpiry(HybridLogStore store, long expiresAtMs)
    {
        _store = store;
        _earliestExpiryMs = Math.Min(_earliestExpiryMs, expiresAtMs);
    }

    internal void Reset()
    {
        _isTouched = false;
        _earliestExpiryMs = long.MaxValue;
        Keys.Clear();
        _hashes.Clear();
    }
}
