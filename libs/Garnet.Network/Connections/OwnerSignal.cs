// The completion that a session awaits. An operation begun on another thread starts on the owner only when it is awaited: if it could
// complete earlier, the session would continue on that thread. Begin and OnCompleted are called by the session, Complete by the owner at
// the top of its loop.
using System.Threading.Tasks.Sources;

namespace Garnet.Network.Connections;

internal struct OwnerSignal
{
    private ManualResetValueTaskSourceCore<bool> _core;
    private Action<object?>? _start;

    /// <summary>Begins an operation on the owner.</summary>
    internal short Begin()
    {
        _core.Reset();
        return _core.Version;
    }

    /// <summary>
    /// Begins an operation from another thread: <paramref name="start"/> runs on the owner once the operation is awaited.
    /// </summary>
    internal short BeginElsewhere(Action<object?> start)
    {
        _core.Reset();
        _start = start;
        return _core.Version;
    }

    internal void Complete() => _core.SetResult(true);

    internal void Fail(Exception exception) => _core.SetException(exception);

    internal readonly ValueTaskSourceStatus GetStatus(short token) => _core.GetStatus(token);

    internal readonly void GetResult(short token) => _core.GetResult(token);

    /// <summary>
    /// Registers the continuation, then starts the operation. The caller's scheduling context is ignored: the session continues on the
    /// owner.
    /// </summary>
    /// <returns>False when the connection has been disposed, so that nothing can start: the caller completes the operation.</returns>
    internal bool OnCompleted(
        StreamConnection connection,
        object operation,
        Action<object?> continuation,
        object? state,
        short token,
        ValueTaskSourceOnCompletedFlags flags
    )
    {
        Action<object?>? start = _start;
        _start = null;
        _core.OnCompleted(continuation, state, token, flags & ~ValueTaskSourceOnCompletedFlags.UseSchedulingContext);
        return start is null || connection.Post(start, operation);
    }
}
