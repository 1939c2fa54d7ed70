// The flags that a module's command may have. Immutable.
namespace Garnet.Modules;

/// <summary>What the server must know of a command; names and meanings are those of COMMAND INFO.</summary>
[Flags]
public enum CommandFlags
{
    /// <summary>Reads and writes nothing, such as PING.</summary>
    None = 0,

    /// <summary>
    /// May change keys. What it changes is replicated and logged by repeating the call, unless it says otherwise
    /// (the methods of <see cref="ModuleContext"/> that begin with Replicate).
    /// </summary>
    Write = 1 << 0,

    /// <summary>Reads keys, and changes none.</summary>
    ReadOnly = 1 << 1,

    /// <summary>May add data, and is therefore refused when memory is exhausted.</summary>
    DenyOom = 1 << 2,

    /// <summary>For administrators: only users with <c>+@admin</c> may call it.</summary>
    Admin = 1 << 3,

    /// <summary>Not allowed in scripts.</summary>
    NoScript = 1 << 5,

    /// <summary>May make its client wait, for keys or for a task.</summary>
    Blocking = 1 << 6,

    /// <summary>Allowed while the server loads its data.</summary>
    Loading = 1 << 7,

    /// <summary>Allowed on a replica whose data is old.</summary>
    Stale = 1 << 8,

    /// <summary>Not shown by MONITOR.</summary>
    SkipMonitor = 1 << 9,

    /// <summary>Takes constant or logarithmic time.</summary>
    Fast = 1 << 12,

    /// <summary>Not allowed inside MULTI.</summary>
    NoMulti = 1 << 18,
}
