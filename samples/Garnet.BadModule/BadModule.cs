// Everything that a module should not do, for tests of the server. One instance for each server; commands run on many threads.
using System.Reflection;
using Garnet.Modules;

namespace Garnet.BadModule;

/// <summary>Each command breaks one rule, and so do the callbacks if an argument says so.</summary>
[Module("bad")]
public sealed class BadModule : IModule
{
    private readonly List<byte[]> _kept = [];
    private IModuleHost _host = null!;

    public void Load(IModuleHost host)
    {
        _host = host;
        if (host.Arguments.Contains("load"))
            throw new InvalidDataException("in Load");
        if (host.Arguments.Contains("filter"))
            AddFilters(host);
        host.AddType(BadType.Instance);
        host.AddOption("bad.option", "x", static text => text == "bad" ? throw new InvalidDataException("in the check") : null);
        host.AddInfoSection("section", static _ => throw new InvalidDataException("in INFO"));
        host.OnKeyEvent(KeyEventKinds.String, static (_, _) => throw new InvalidDataException("in an event"));
        host.OnServerEvent(static (_, _) => throw new InvalidDataException("in an event"));
        host.StartTimer(TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1), static _ => throw new InvalidDataException("in a timer"));
    }

    public void Unload() => throw new InvalidDataException("in Unload");

    private static void AddFilters(IModuleHost host)
    {
        host.AddCommandFilter(
            static (ref FilteredCommand command) =>
            {
                if (command.Is(0, "PING"u8))
                    throw new InvalidDataException("in a filter");
            }
        );
        host.AddAuthentication(static (_, _) => throw new InvalidDataException("in a hook"));
    }

    [Command("BAD.THROW", CommandFlags.Write)]
    public static void Throw(ref ModuleContext context, [Key] ref StringKey key)
    {
        key.Set("changed"u8);
        throw new InvalidDataException("in a command");
    }

    [Command("BAD.LOOP")]
    public static void Loop(ref ModuleContext context)
    {
        while (!context.ShouldStop)
            Thread.SpinWait(100);
        context.Reply.WriteError("ERR stopped");
    }

    [Command("BAD.NONE")]
    public static void None(ref ModuleContext context) { }

    [Command("BAD.TWO")]
    public static void Two(ref ModuleContext context)
    {
        context.Reply.WriteOk();
        context.Reply.WriteOk();
    }

    [Command("BAD.SHORT")]
    public static void Short(ref ModuleContext context)
    {
        context.Reply.WriteArray(3);
        context.Reply.WriteInteger(1);
    }

    [Command("BAD.ALLOCATE")]
    public void Allocate(ref ModuleContext context, int megabytes)
    {
        for (int i = 0; i < megabytes; i++)
            _kept.Add(new byte[1 << 20]);
        context.Reply.WriteInteger(_kept.Count);
    }

    [Command("BAD.WAIT", CommandFlags.Blocking)]
    public static void Wait(ref ModuleContext context, long timeoutMs)
    {
        if (!context.TryWaitFor(static _ => new TaskCompletionSource<int>().Task, timeoutMs, static (ref ReplyWriter _, int _) => { }))
            context.Reply.WriteNull();
    }

    [Command("BAD.FAIL", CommandFlags.Blocking)]
    public static void Fail(ref ModuleContext context, int how)
    {
        bool waits = context.TryWaitFor(
            _ => how == 0 ? throw new InvalidDataException("in the start") : Task.FromResult(how),
            0,
            static (ref ReplyWriter reply, int how) =>
            {
                if (how == 1)
                    reply.WriteArray(2);
                if (how == 2)
                    throw new InvalidDataException("in the reply");
            }
        );
        if (!waits)
            context.Reply.WriteNull();
    }

    [Command("BAD.VALUE", CommandFlags.Write)]
    public static void Value(ref ModuleContext context, [Key] ref CustomKey<BadType> key, [Option("HANGS")] bool hangs = false)
    {
        key.Set(hangs ? BadType.Hanging : "value"u8);
        context.Reply.WriteOk();
    }

    // More than any machine has; nothing of it is kept.
    [Command("BAD.EXHAUST")]
    public static void Exhaust(ref ModuleContext context)
    {
        List<byte[]> taken = [];
        while (true)
            taken.Add(GC.AllocateUninitializedArray<byte>(1 << 26));
    }

    // A dependency that was there when the module was loaded, and is not there when it is first used.
    [Command("BAD.LOSE")]
    public static void Lose(ref ModuleContext context) => context.Reply.WriteBulk(Assembly.Load("Garnet.Lost").FullName!);

    // Goes on while the module is unloaded, and misses its command then.
    [Command("BAD.LATE")]
    public void Late(ref ModuleContext context)
    {
        _host.StartTimer(
            TimeSpan.FromMilliseconds(1),
            Timeout.InfiniteTimeSpan,
            caller =>
            {
                while (true)
                    caller.Call(_host.FindCommand("BAD.ALLOCATE"), "0"u8);
            }
        );
        context.Reply.WriteOk();
    }

    [Command("BAD.WRITE", CommandFlags.ReadOnly)]
    public static void Write(ref ModuleContext context, [Key] ref StringKey key)
    {
        key.Set("changed"u8);
        context.Reply.WriteOk();
    }
}
