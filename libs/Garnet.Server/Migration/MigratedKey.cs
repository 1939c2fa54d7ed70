// One key of a MIGRATE. Used by the command's thread or task.
using Garnet.Store.Watching;

namespace Garnet.Server.Migration;

/// <summary>A key that was read here and is being sent to the target.</summary>
internal sealed class MigratedKey(byte[] name, ulong hash, KeyWatcher? watcher)
{
    /// <summary>The key.</summary>
    public byte[] Name => name;

    /// <summary>The store's hash of it.</summary>
    public ulong Hash => hash;

    /// <summary>Records changes since the key was read; null where nothing else can run meanwhile, or the key stays.</summary>
    public KeyWatcher? Watcher => watcher;

    /// <summary>Unix milliseconds at which it expires, as it was last read; -1 for never.</summary>
    public long ExpiresAtMs { get; set; }

    /// <summary>How often it was sent again.</summary>
    public int Repetitions { get; set; }

    /// <summary>Whether the target has what this server sent last.</summary>
    public bool IsAccepted { get; set; }
}
