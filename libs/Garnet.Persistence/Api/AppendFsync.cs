// The values of the option appendfsync. Immutable, any thread.
namespace Garnet;

/// <summary>When the append-only log is synced to disk.</summary>
public enum AppendFsync
{
    /// <summary>Once a second: a power failure loses at most about that much.</summary>
    EverySecond,

    /// <summary>Before any reply that acknowledges a write: nothing acknowledged is lost.</summary>
    Always,

    /// <summary>Whenever the operating system chooses.</summary>
    No,
}
