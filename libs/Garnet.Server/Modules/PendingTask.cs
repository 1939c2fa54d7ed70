// A command that waits for a task of modules. Its end is decided once, by any thread; the rest runs on the client's own.
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Protocol;

namespace Garnet.Server.Modules;

/// <summary>
/// Ends with the task, with the timeout, by CLIENT UNBLOCK or with the connection, whichever comes first; unless the task came first, it
/// is told to stop, and what becomes of it does not matter any more. The modules are not unloaded before.
/// </summary>
internal abstract class PendingTask<T> : PendingReply
{
    private const int Undecided = 0;
    private const int Completed = 1;
    private const int TimedOut = 2;
    private const int Unblocked = 3;
    private const int Closed = 4;
    private const int RoleChanged = 5;

    private readonly TaskCompletionSource _finished = new();
    private readonly CancellationTokenSource _stop;
    private readonly IReadOnlyCollection<LoadedModule> _modules;
    private readonly long _timeoutMs;
    private Task<T>? _task;
    private int _end;
    private bool _isReleased;

    /// <summary>Makes a wait, which begins with <see cref="WaitAsync"/>.</summary>
    /// <param name="context">The command.</param>
    /// <param name="modules">The modules that have to stay.</param>
    /// <param name="stop">Tells the task to stop.</param>
    /// <param name="timeoutMs">In milliseconds; 0 for none.</param>
    protected PendingTask(
        scoped in CommandContext context,
        IReadOnlyCollection<LoadedModule> modules,
        CancellationTokenSource stop,
        long timeoutMs
    )
    {
        Client = context.Client;
        Command = context.Command;
        _modules = modules;
        _stop = stop;
        _timeoutMs = timeoutMs;
        foreach (LoadedModule module in modules)
            module.CountWaiting(1);
    }

    /// <inheritdoc/>
    public override bool EndsWithPeer => true;

    /// <inheritdoc/>
    public override bool HasTimeout => _timeoutMs > 0;

    /// <inheritdoc/>
    public override bool IsAbandoned => Volatile.Read(ref _end) == Closed;

    /// <summary>The client that waits.</summary>
    protected ClientSession Client { get; }

    /// <summary>Its command.</summary>
    protected Command Command { get; }

    /// <inheritdoc/>
    public override bool EndsConnection => _end == RoleChanged;

    /// <inheritdoc/>
    public override bool TryUnblock(UnblockReason reason) =>
        TryEnd(
            reason switch
            {
                UnblockReason.Timeout => TimedOut,
                UnblockReason.RoleChange => RoleChanged,
                _ => Unblocked,
            }
        );

    /// <inheritdoc/>
    public override async Task WaitAsync(CancellationToken connectionClosed)
    {
        _task = Start(_stop.Token);
        _ = _task.ContinueWith(
            static (_, self) => ((PendingTask<T>)self!).TryEnd(Completed),
            this,
            CancellationToken.None,
            TaskContinuationOptions.ExecuteSynchronously,
            TaskScheduler.Default
        );
        using CancellationTokenRegistration closing = connectionClosed.UnsafeRegister(
            static self => ((PendingTask<T>)self!).TryEnd(Closed),
            this
        );
        using ITimer? timer =
            _timeoutMs == 0
                ? null
                : Client.Executor.Time.CreateTimer(
                    static self => ((PendingTask<T>)self!).TryEnd(TimedOut),
                    this,
                    TimeSpan.FromMilliseconds(_timeoutMs),
                    Timeout.InfiniteTimeSpan
                );
        await _finished.Task.ConfigureAwait(false);
        if (IsAbandoned)
            Release();
    }

    /// <inheritdoc/>
    public override Task AbandonAsync()
    {
        TryEnd(Closed);
        Release();
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public override void WriteReply(ref RespWriter reply)
    {
        switch (_end)
        {
            case TimedOut:
                reply.WriteNull();
                break;
            case Unblocked:
                reply.WriteError(UnblockedError(UnblockReason.Error));
                break;
            case RoleChanged:
                reply.WriteError(UnblockedError(UnblockReason.RoleChange));
                break;
            default:
                WriteResult(ref reply, _task!);
                break;
        }

        Release();
    }

    /// <summary>Begins the task, or returns one that was begun. On a thread that serves many clients; does not throw.</summary>
    protected abstract Task<T> Start(CancellationToken stop);

    /// <summary>Writes the reply when the task has ended.</summary>
    protected abstract void WriteResult(ref RespWriter reply, Task<T> task);

    private bool TryEnd(int how)
    {
        if (Interlocked.CompareExchange(ref _end, how, Undecided) != Undecided)
            return false;
        if (how != Completed)
            _stop.CancelAsync();

        // The session continues on its own thread, with none of the caller's code on its stack.
        Client.Connection.Post(static self => ((PendingTask<T>)self!)._finished.TrySetResult(), this);
        return true;
    }

    private void Release()
    {
        if (_isReleased)
            return;
        _isReleased = true;
        foreach (LoadedModule module in _modules)
            module.CountWaiting(-1);
    }
}
