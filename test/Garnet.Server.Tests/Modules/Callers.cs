// A module for tests whose commands call and replicate others. Immutable.
using Garnet.Modules;

namespace Garnet.Server.Tests.Modules;

/// <summary>One command for each kind of call and effect.</summary>
[Module("callers")]
public sealed class Callers : IModule
{
    private CommandToken _set = null!;
    private CommandToken _increment = null!;
    private CommandToken _range = null!;
    private CommandToken _select = null!;
    private CommandToken _nested = null!;
    private CommandToken? _inner;
    private IModuleHost _host = null!;

    public void Load(IModuleHost host)
    {
        _set = host.FindCommand("set");
        _increment = host.FindCommand("INCR");
        _range = host.FindCommand("LRANGE");
        _select = host.FindCommand("SELECT");
        _nested = host.FindCommand("COMMAND|COUNT");
        _host = host;
    }

    // The order of the effects is that of the calls first, whatever the order here.
    [Command("CALL.BOTH", CommandFlags.Write, Calls = CommandCalls.OnItsKeys)]
    public void Both(ref ModuleContext context, [Key] ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        context.Replicate(_set, "effect"u8, value);
        context.Call(_set, CallFlags.Replicate, key, value);
        context.Call(_increment, CallFlags.Replicate, key);
        context.ReplicateVerbatim();
        context.Reply.WriteOk();
    }

    [Command("CALL.SILENT", CommandFlags.Write, Calls = CommandCalls.OnItsKeys)]
    public void Silent(ref ModuleContext context, [Key] ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        context.Call(_set, CallFlags.None, key, value);
        context.Reply.WriteOk();
    }

    [Command("CALL.ANY", CommandFlags.Write, Calls = CommandCalls.OnAnyKey)]
    public void Any(ref ModuleContext context, ReadOnlySpan<byte> key, long database)
    {
        context.Call(context.Request(_select).Add(database), CallFlags.None);
        context.Call(_increment, CallFlags.Replicate, key);
        context.Reply.WriteOk();
    }

    [Command("CALL.WITH", CommandFlags.Write, Calls = CommandCalls.OnItsKeys)]
    public void With(ref ModuleContext context, [Key] ReadOnlySpan<byte> key, int flags, ReadOnlySpan<byte> other)
    {
        CallReply reply = context.Call(_set, (CallFlags)flags, other.Length > 0 ? other : key, "v"u8);
        context.Reply.WriteBulk(reply.Bytes);
    }

    [Command("CALL.READS", CommandFlags.ReadOnly, Calls = CommandCalls.OnItsKeys)]
    public void Reads(ref ModuleContext context, [Key] ReadOnlySpan<byte> key)
    {
        CallReply items = context.Call(_range, CallFlags.None, key, "0"u8, "-1"u8);
        context.Reply.WriteArray(items.Count);
        foreach (CallReply item in items)
            context.Reply.WriteBulk(item.Bytes);
    }

    [Command("CALL.WRITES", CommandFlags.ReadOnly, Calls = CommandCalls.OnItsKeys)]
    public void Writes(ref ModuleContext context, [Key] ReadOnlySpan<byte> key)
    {
        context.Call(_increment, CallFlags.None, key);
        context.Reply.WriteOk();
    }

    [Command("CALL.COUNT", CommandFlags.None, Calls = CommandCalls.OnItsKeys)]
    public void Count(ref ModuleContext context) => context.Reply.WriteInteger(context.Call(_nested, CallFlags.None).Integer);

    // The inner command makes a request while its own arguments are those of the outer one's.
    [Command("CALL.OUTER", CommandFlags.Write, Calls = CommandCalls.OnItsKeys)]
    public void Outer(ref ModuleContext context, [Key] ReadOnlySpan<byte> key, int flags)
    {
        _inner ??= _host.FindCommand("CALL.INNER");
        context.Call(_inner, (CallFlags)flags, key, "value"u8);
        context.Reply.WriteOk();
    }

    [Command("CALL.INNER", CommandFlags.Write)]
    public void Inner(ref ModuleContext context, [Key] ref StringKey key, ReadOnlySpan<byte> value)
    {
        ModuleRequest request = context.Request(_set).Add("other"u8).Add("x"u8);
        key.Set(value);
        context.Replicate(_set, context[1], value);
        context.Replicate(request);
        context.Reply.WriteOk();
    }

    [Command("CALL.LOOP", CommandFlags.Write, Calls = CommandCalls.OnItsKeys)]
    public void Loop(ref ModuleContext context, [Key] ReadOnlySpan<byte> key)
    {
        CallReply reply = context.Call(_host.FindCommand("CALL.LOOP"), CallFlags.ErrorsAsReplies, key);
        if (reply.IsError)
            context.Reply.WriteError(reply.Bytes);
        else
            context.Reply.WriteOk();
    }

    [Command("CALL.UNDECLARED", CommandFlags.Write)]
    public void Undeclared(ref ModuleContext context, [Key] ReadOnlySpan<byte> key)
    {
        context.Call(_increment, CallFlags.None, key);
        context.Reply.WriteOk();
    }

    [Command("REPL.TOKEN", CommandFlags.Write)]
    public void Token(ref ModuleContext context, [Key] ref StringKey key)
    {
        key.TryIncrement(1, out long sum);
        context.Replicate(_increment, context[1]);
        context.Reply.WriteInteger(sum);
    }

    [Command("REPL.NAME", CommandFlags.Write)]
    public static void Name(ref ModuleContext context, [Key] ReadOnlySpan<byte> key, ReadOnlySpan<byte> name, int flags) =>
        context.Reply.WriteBoolean(context.ReplicateWithFlags((ReplicateFlags)flags, name, key, "1"u8));

    [Command("REPL.NOTHING", CommandFlags.Write)]
    public static void Nothing(ref ModuleContext context, [Key] ref StringKey key)
    {
        key.Set("x"u8);
        context.Reply.WriteOk();
        throw new NotSupportedException("after the reply");
    }
}
