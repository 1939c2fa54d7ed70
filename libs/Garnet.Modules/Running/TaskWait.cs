// A command of a module that waits for a task. Used by the client's own thread.
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Protocol;
using Garnet.Server.Modules;
using Microsoft.Extensions.Logging;

namespace Garnet.Modules.Running;

/// <summary>Replies with what the module makes of the task's result; an exception becomes the reply.</summary>
internal sealed class TaskWait<T> : PendingTask<T>
{
    private readonly LoadedModule _module;
    private readonly Func<CancellationToken, Task<T>> _start;
    private readonly WaitReply<T> _reply;

    public TaskWait(
        scoped in CommandContext context,
        LoadedModule module,
        Func<CancellationToken, Task<T>> start,
        long timeoutMs,
        WaitReply<T> reply
    )
        : base(in context, [module], new CancellationTokenSource(), timeoutMs)
    {
        _module = module;
        _start = start;
        _reply = reply;
    }

    /// <inheritdoc/>
    protected override Task<T> Start(CancellationToken stop)
    {
        try
        {
            return _start(stop);
        }
        catch (Exception e)
        {
            return Task.FromException<T>(e);
        }
    }

    /// <inheritdoc/>
    protected override void WriteResult(ref RespWriter reply, Task<T> task)
    {
        CommandContext context = new(Client, Client.Executor.Threads.Current, reply) { Command = Command };
        context.Load(default, default(ReadOnlySpan<ArgumentRange>));
        ReplyWriter writer = new(ref ContextReference.ToBytes(ref context));
        string error = $"ERR the command '{Command.FullName}' did not reply";
        try
        {
            _reply(ref writer, task.GetAwaiter().GetResult());
        }
        catch (CallException e)
        {
            error = e.Message;
        }
        catch (Exception e)
        {
            _module.CountException();
            _module.Log.LogError(e, "The command {Command} of module {Module} failed after it had waited", Command.FullName, _module.Name);
            error = $"ERR {e.GetType().Name} in command '{Command.FullName}': {e.Message}";
        }

        for (long missing = writer.Missing; missing > 0; missing--)
            context.Reply.WriteError(Encoding.UTF8.GetBytes(error));
        reply = context.Reply;
    }
}
