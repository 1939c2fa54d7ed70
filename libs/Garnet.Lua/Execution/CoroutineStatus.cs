// The states of a coroutine. Immutable; any thread.
namespace Garnet.Lua.Execution;

internal enum CoroutineStatus
{
    /// <summary>Created, or yielded: can be resumed.</summary>
    Suspended,
    Running,

    /// <summary>Resumed another coroutine and waits for it.</summary>
    Normal,
    Dead,
}
