// What a script declares about itself. Immutable; any thread.
namespace Garnet.Server.Scripting;

[Flags]
internal enum ScriptFlags
{
    None = 0,

    /// <summary>no-writes: it runs only commands that read.</summary>
    NoWrites = 1,

    /// <summary>allow-oom: it may run, and write, while memory is exhausted.</summary>
    AllowOom = 2,

    /// <summary>allow-stale: it may run on a replica without its primary.</summary>
    AllowStale = 4,

    /// <summary>no-cluster: it does not run in a cluster.</summary>
    NoCluster = 8,

    /// <summary>allow-cross-slot-keys: its keys may be in different slots.</summary>
    AllowCrossSlotKeys = 16,

    /// <summary>It declares nothing: the rules of old scripts apply, which are checked command by command.</summary>
    Undeclared = 32,
}
