// A command of a module that waits for a task. Its end is decided once, by any thread; the rest runs on the client's own.
using System.Text;
using Garnet.Protocol;
using Garnet.Server.CommandModel;
using Garnet.Server.Modules;
using Garnet.Server.Sessions;
using Microsoft.Extensions.Logging;

namespace Garnet.Modules.Running;

/// <summary>
/// Ends with the task, with the timeout, by CLIENT UNBLOCK or with the connection, whichever comes first; unless the task came first, it
/// is told to stop, and what becomes of it does not matter any more. The module is not unloaded before.
/// </summary>
internal sealed class TaskWait<T> : PendingReply
{
    private const int Undecided = 0;
    private const int Completed = 1;
    private const int TimedOut = 2;
    private const int Unblocked = 3;
    private const int Closed = 4;

    private readonly TaskCompletionSource _finished = new();
    private readonly CancellationTokenSource _stop = new();
    private readonly ClientSession _client;
    private readonly Command _command;
    private readonly LoadedModule _module;
    private readonly Func<CancellationToken, Task<T>> _start;
    private readonly WaitReply<T> _reply;
    private readonly long _timeoutMs;
    private Task<T>? _task;
    private int _end;
    private bool _isReleased;

    public TaskWait(
        scoped in CommandContext context,
        LoadedModule module,
        Func<CancellationToken, Task<T>> start,
        long timeoutMs,
        WaitReply<T> reply
    )
    {
        _client = context.Client;
        _command = context.Command;
        _module = module;
        _start = start;
        _timeoutMs = timeoutMs;
        _reply = reply;
        module.CountWaiting(1);
    }

    /// <inheritdoc/>
    public override bool EndsWithPeer => true;

    /// <inheritdoc/>
    public override bool HasTimeout => _timeoutMs > 0;

    /// <inheritdoc/>
    public override bool IsAbandoned => Volatile.Read(ref _end) == Closed;

    /// <inheritdoc/>
    public override bool TryUnblock(bool withError) => TryEnd(withError ? Unblocked : TimedOut);

    /// <inheritdoc/>
    public override async Task WaitAsync(CancellationToken connectionClosed)
    {
        _task = Start();
        _ = _task.ContinueWith(
            static (_, self) => ((TaskWait<T>)self!).TryEnd(Completed),
            this,
            CancellationToken.None,
            TaskContinuationOptions.ExecuteSynchronously,
            TaskScheduler.Default
        );
        using CancellationTokenRegistration closing = connectionClosed.UnsafeRegister(
            static self => ((TaskWait<T>)self!).TryEnd(Closed),
            this
        );
        using ITimer? timer =
            _timeoutMs == 0
                ? null
                : _client.Server.Clock.Time.CreateTimer(
                    static self => ((TaskWait<T>)self!).TryEnd(TimedOut),
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
                reply.WriteError(UnblockedError);
                break;
            default:
                WriteResult(ref reply);
                break;
        }

        Release();
    }

    private Task<T> Start()
    {
        try
        {
            return _start(_stop.Token);
        }
        catch (Exception e)
        {
            return Task.FromException<T>(e);
        }
    }

    private void WriteResult(ref RespWriter reply)
    {
        CommandContext context = new(_client, _client.Server.Batches.Current, reply) { Command = _command };
        context.Load(default, default(ReadOnlySpan<ArgumentRange>));
        ReplyWriter writer = new(ref ContextReference.ToBytes(ref context));
        string error = $"ERR the command '{_command.FullName}' did not reply";
        try
        {
            _reply(ref writer, _task!.GetAwaiter().GetResult());
        }
        catch (CallException e)
        {
            error = e.Message;
        }
        catch (Exception e)
        {
            _module.CountException();
            _client
                .Server.Modules.LoggerFor(_module.Name)
                .LogError(e, "The command {Command} of module {Module} failed after it had waited", _command.FullName, _module.Name);
            error = $"ERR {e.GetType().Name} in command '{_command.FullName}': {e.Message}";
        }

        for (long missing = writer.Missing; missing > 0; missing--)
            context.Reply.WriteError(Encoding.UTF8.GetBytes(error));
        reply = context.Reply;
    }

    private bool TryEnd(int how)
    {
        if (Interlocked.CompareExchange(ref _end, how, Undecided) != Undecided)
            return false;
        if (how != Completed)
            _stop.CancelAsync();

        // The session continues on its own thread, with none of the caller's code on its stack.
        _client.Connection.Post(static self => ((TaskWait<T>)self!)._finished.TrySetResult(), this);
        return true;
    }

    private void Release()
    {
        if (_isReleased)
            return;
        _isReleased = true;
        _module.CountWaiting(-1);
    }
}
