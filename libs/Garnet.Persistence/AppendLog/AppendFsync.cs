// The option appendfsync. Immutable, any thread.
namespace Garnet.Persistence.AppendLog;

/// <summary>When the append-only log is forced to the disk.</summary>
public enum AppendFsync
{
    /// <summary>Once a second: a power cut loses that much.</summary>
    EverySecond,

    /// <summary>Before any reply that tells of a write: nothing acknowledged is lost.</summary>
    Always,

    /// <summary>When the operating system sees fit.</summary>
    No,
}
