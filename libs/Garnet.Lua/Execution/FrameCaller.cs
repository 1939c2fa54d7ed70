// Who called a function. Immutable; any thread.
namespace Garnet.Lua.Execution;

internal enum FrameCaller
{
    /// <summary>Compiled code, by a call; the interpreter continues with the caller.</summary>
    Code,

    /// <summary>The interpreter itself, for a metamethod; it leaves the inner loop at the end.</summary>
    Metamethod,

    /// <summary>A function of the host; the interpreter leaves the inner loop at the end.</summary>
    Native,
}
