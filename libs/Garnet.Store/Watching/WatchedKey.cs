// One key under watch by one watcher. Changed under the latch of the key's bucket, or under the barrier.
namespace Garnet.Store;

/// <summary>A link in the list of those who watch keys of one hash.</summary>
internal sealed class WatchedKey(KeyWatcher watcher, int database, byte[] key, ulong hash)
{
    public KeyWatcher Watcher { get; } = watcher;

    public int Database { get; } = database;

    public byte[] Key { get; } = key;

    /// <summary>The key's hash before any salt.</summary>
    public ulong Hash { get; } = hash;

    /// <summary>The key had expired when it was watched, so its removal is no change.</summary>
    public bool WasExpired { get; set; }

    public WatchedKey? Next { get; set; }
}
