// How a module calls a command. Immutable.
namespace Garnet.Server.Modules;

/// <summary>The flags of a module's call; the public enumeration has the same values.</summary>
[Flags]
internal enum ModuleCallFlags
{
    /// <summary>No flag.</summary>
    None = 0,

    /// <summary>What the command changes is replicated as its effect.</summary>
    Replicate = 1 << 0,

    /// <summary>Only if the client's user may call it.</summary>
    AsUser = 1 << 1,

    /// <summary>Not if memory is exhausted.</summary>
    RespectOom = 1 << 2,

    /// <summary>Only if it does not write.</summary>
    NoWrites = 1 << 3,

    /// <summary>Errors are replies.</summary>
    ErrorsAsReplies = 1 << 4,

    /// <summary>Everything is checked, and nothing executed.</summary>
    DryRun = 1 << 5,

    /// <summary>The reply is one of RESP3.</summary>
    Resp3 = 1 << 6,
}
