// A key with at least one watcher. Its position in the table changes under the lock of its segment, its list of watches also under the
// latch of its bucket or the barrier.
namespace Garnet.Store.Watching;

/// <summary>One entry of the <see cref="WatchTable"/>: the key, and the list of its watches.</summary>
internal sealed class WatchedKey(int database, byte[] key, ulong hash, ulong salted)
{
    /// <summary>The logical database.</summary>
    public int Database { get; } = database;

    public byte[] Key { get; } = key;

    /// <summary>The key's hash before any salt.</summary>
    public ulong Hash { get; } = hash;

    /// <summary>The hash under which the index stores the key; changes when its database is flushed or swapped.</summary>
    public ulong Salted { get; set; } = salted;

    /// <summary>The newest watch of the key.</summary>
    public Watch? First { get; set; }

    /// <summary>How many of its watches belong to watchers without an observer.</summary>
    public int TransactionWatches { get; set; }

    public WatchedKey? NextInSlot { get; set; }

    public WatchedKey? PreviousInDatabase { get; set; }

    public WatchedKey? NextInDatabase { get; set; }
}
