// A module for tests whose commands wait, and which has timers and events. Thread-safe.
using System.Collections.Concurrent;
using System.Text;
using Garnet.Modules;

namespace Garnet.Server.Tests.Modules;

/// <summary>One command for each kind of wait; what callbacks see is noted in lists of the server.</summary>
[Module("waiters")]
public sealed class Waiters : IModule
{
    private readonly ConcurrentDictionary<string, TaskCompletionSource<byte[]>> _tasks = new();
    private IModuleHost _host = null!;
    private CommandToken _push = null!;
    private KeyEventToken _taken = null!;

    public void Load(IModuleHost host)
    {
        _host = host;
        _push = host.FindCommand("RPUSH");
        _taken = host.AddKeyEvent("waiters.taken");
        host.OnServerEvent((caller, happened) => caller.Call(_push, "events"u8, Encoding.ASCII.GetBytes(happened.ToString())));
        host.OnKeyEvent(
            KeyEventKinds.String | KeyEventKinds.Module | KeyEventKinds.Expired,
            (caller, changed) =>
            {
                caller.Database = 1;
                caller.Call(
                    _push,
                    "changes"u8,
                    Encoding.ASCII.GetBytes($"{changed.Database} {changed.Name} {Encoding.Latin1.GetString(changed.Key.Span)}")
                );
            }
        );
    }

    [Command("WAIT.TAKE", CommandFlags.Write | CommandFlags.Blocking)]
    public void Take(ref ModuleContext context, [Key] ref ListKey list, long timeoutMs)
    {
        if (list.Exists && !context.HasEarlierWaiters(1))
        {
            byte[] first = list[0].ToArray();
            list.RemoveRange(0, 1);
            context.Notify(_taken, 1);
            context.Reply.WriteBulk(first);
        }
        else if (!context.TryWaitForKeys(1, 1, KeyType.List, timeoutMs))
        {
            context.Reply.WriteNull();
        }
    }

    [Command("WAIT.TASK", CommandFlags.Blocking)]
    public void Wait(ref ModuleContext context, ReadOnlySpan<byte> name, long timeoutMs)
    {
        string text = Encoding.Latin1.GetString(name);
        bool waits = context.TryWaitFor(
            stop =>
            {
                TaskCompletionSource<byte[]> task = _tasks.GetOrAdd(text, static _ => new TaskCompletionSource<byte[]>());
                stop.Register(() => _tasks.TryRemove(text, out _));
                return task.Task;
            },
            timeoutMs,
            static (ref ReplyWriter reply, byte[] value) => reply.WriteBulk(value)
        );
        if (!waits)
            context.Reply.WriteNull();
    }

    [Command("WAIT.COUNT")]
    public void Count(ref ModuleContext context) => context.Reply.WriteInteger(_tasks.Count);

    [Command("WAIT.DONE")]
    public void Done(ref ModuleContext context, ReadOnlySpan<byte> name, ReadOnlySpan<byte> value) =>
        context.Reply.WriteBoolean(
            _tasks.TryRemove(Encoding.Latin1.GetString(name), out TaskCompletionSource<byte[]>? task) && task.TrySetResult(value.ToArray())
        );

    [Command("WAIT.UNDECLARED")]
    public static void Undeclared(ref ModuleContext context) =>
        context.TryWaitFor(static _ => Task.FromResult(1), 0, static (ref ReplyWriter reply, int value) => reply.WriteInteger(value));

    [Command("WAIT.AFTER", CommandFlags.Blocking)]
    public static void After(ref ModuleContext context)
    {
        context.Reply.WriteOk();
        context.TryWaitFor(static _ => Task.FromResult(1), 0, static (ref ReplyWriter reply, int value) => reply.WriteInteger(value));
    }

    [Command("WAIT.TICK")]
    public void Tick(ref ModuleContext context, long dueMs, long periodMs)
    {
        _host.StartTimer(
            TimeSpan.FromMilliseconds(dueMs),
            periodMs < 0 ? Timeout.InfiniteTimeSpan : TimeSpan.FromMilliseconds(periodMs),
            caller => caller.Call(_push, "ticks"u8, "tick"u8)
        );
        context.Reply.WriteOk();
    }

    [Command("WAIT.CALL")]
    public void Call(ref ModuleContext context, ReadOnlySpan<byte> command)
    {
        string name = Encoding.ASCII.GetString(command);
        _host.Run(caller =>
        {
            CallReply reply = caller.Call(caller.Request(_host.FindCommand(name)).Add("list").Add("0"), CallFlags.ErrorsAsReplies);
            byte[] text = reply.Bytes.ToArray();
            caller.Call(_push, "replies"u8, text);
        });
        context.Reply.WriteOk();
    }
}
