// Commands that scripts call. On the thread that runs the script.
using System.Diagnostics;
using System.Runtime.InteropServices;
using Garnet.Lua.Execution;
using Garnet.Lua.Values;
using Garnet.Protocol;
using Garnet.Server.Acl;
using Garnet.Server.CommandModel;
using Garnet.Server.Commands.Debugging;
using Garnet.Server.Sessions;

namespace Garnet.Server.Scripting;

/// <summary>
/// server.call and server.pcall: the script's arguments become a request that passes the rules for commands of scripts, and the reply
/// becomes a value. Memory for both is kept for the next call.
/// </summary>
internal sealed class ScriptCommandCall(ScriptMachine machine, RespServer server)
{
    private const int KeptBytes = 64 * 1024;
    private const int CallInstructions = 30;
    private const int SlowCallInstructions = 5000;

    private static readonly byte[] NotAllowed = "ERR This Valkey command is not allowed from script"u8.ToArray();
    private static readonly byte[] WrongCount = "ERR Wrong number of args calling command from script"u8.ToArray();
    private static readonly byte[] Unknown = "ERR Unknown command called from script"u8.ToArray();
    private static readonly byte[] Writes = "ERR Write commands are not allowed from read-only scripts."u8.ToArray();

    private readonly ReplyBuffer _reply = new();
    private readonly List<ArgumentRange> _ranges = [];
    private byte[] _arguments = new byte[256];
    private int _used;

    /// <summary>Calls the command in the arguments; an error is raised or, for pcall, returned.</summary>
    public int Call(NativeCall call, bool raises)
    {
        LuaValue value = TakeArguments(call) is { } problem
            ? ReplyReader.ErrorTable(call.State, problem, isCounted: false)
            : CallCommand(call.State);
        if (raises && value.Object is LuaTable table && !table.Get(ErrorField).IsNil && _failed)
            throw new LuaException(value);
        return call.Return(value);
    }

    /// <summary>server.acl_check_cmd: whether the user may call the command in the arguments.</summary>
    public int CheckPermission(NativeCall call)
    {
        if (TakeArguments(call) is { } problem)
            throw new LuaException(ReplyReader.ErrorTable(call.State, problem, isCounted: false));
        ScriptRun run = machine.Run!;
        CommandContext context = NewContext(run);
        Command? found = server.Commands.Find(context[0]);
        if (found is { IsContainer: true } && context.Count >= 2)
            found = found.FindSubcommand(context[1]);
        if (found is null)
        {
            ReadOnlySpan<byte> text = "ERR Invalid command passed to server.acl_check_cmd()"u8;
            throw new LuaException(ReplyReader.ErrorTable(call.State, text, isCounted: false));
        }

        context.Command = found;
        bool isAllowed =
            run.Client.Login.User is not { } user
            || Permission.Check(user.Rules, found, in context, 0, run.Client.Store.Database, out _) == Denial.None;
        return call.Return(isAllowed);
    }

    private static readonly LuaString ErrorField = LibraryNames.Get("err");

    private bool _failed;

    // The error, or null.
    private byte[]? TakeArguments(NativeCall call)
    {
        _failed = true;
        _ranges.Clear();
        _used = 0;
        if (_arguments.Length > KeptBytes)
            _arguments = new byte[256];
        if (call.Count == 0)
            return "ERR Please specify at least one argument for this call"u8.ToArray();
        Span<byte> number = stackalloc byte[Math.Max(DoubleText.MaxLength, IntegerText.MaxLength)];
        for (int i = 1; i <= call.Count; i++)
        {
            LuaValue argument = call[i];
            switch (argument.Object)
            {
                case LuaString text:
                    Append(text.Span);
                    break;
                case null:
                    long integer = NumberText.ToLong(argument.Number);
                    int length =
                        integer == argument.Number && Math.Abs(argument.Number) <= long.MaxValue / 2
                            ? IntegerText.Format(integer, number)
                            : DoubleText.Format(argument.Number, number);
                    Append(number[..length]);
                    break;
                default:
                    return "ERR Command arguments must be strings or integers"u8.ToArray();
            }
        }

        return null;
    }

    private void Append(ReadOnlySpan<byte> argument)
    {
        if (_used + argument.Length > _arguments.Length)
            Array.Resize(ref _arguments, Math.Max(_arguments.Length * 2, _used + argument.Length));
        argument.CopyTo(_arguments.AsSpan(_used));
        _ranges.Add(new ArgumentRange(_used, argument.Length));
        _used += argument.Length;
    }

    private CommandContext NewContext(ScriptRun run)
    {
        _reply.Clear();
        var reply = new RespWriter(_reply, run.Protocol) { ErrorObserver = run.Batch.Counters.Errors };
        var context = new CommandContext(run.Client, run.Batch, reply);
        context.Load(_arguments.AsSpan(0, _used), CollectionsMarshal.AsSpan(_ranges));
        return context;
    }

    private LuaValue CallCommand(LuaState state)
    {
        ScriptRun run = machine.Run!;
        // Others wait for the next step: it must not be thousands of commands away.
        state.ChargeInstructions(run.IsSlow ? SlowCallInstructions : CallInstructions);
        CommandContext context = NewContext(run);
        byte[]? replaced = null;
        if (IsAdmitted(ref context, run, ref replaced))
            Execute(ref context, run);
        _failed = context.Reply.ErrorCount > 0;
        context.Reply.Flush();
        if (replaced is not null)
            return ReplyReader.ErrorTable(state, replaced, isCounted: true);
        state.ChargeInstructions(_reply.Written.Length >> 4);
        return new ReplyReader(state, _reply.Written).Read();
    }

    private void Execute(ref CommandContext context, ScriptRun run)
    {
        ClientSession client = run.Client;
        bool mayHaveEffects = EffectScope.MayHaveEffects(ref context, context.Command);
        if (mayHaveEffects)
            run.Effects.Follow(client);

        (int bytes, int count) = mayHaveEffects ? (client.Propagation.Effects.Bytes, client.Propagation.Effects.Count) : default;
        CommandDispatcher.Call(ref context);
        Debug.Assert(context.Pending is null, "A command of a script must not wait.");
        if (mayHaveEffects && !run.Propagates)
            client.Propagation.Effects.Truncate(bytes, count);
    }

    private bool IsDenied(Command command) =>
        (command.Flags & CommandFlags.NoScript) != 0 && !(server.Scripts.MayDebug && command.Descriptor == DebugCommand.Descriptor);

    // Errors of the rules for requests have texts of their own in scripts.
    private bool IsAdmitted(ref CommandContext context, ScriptRun run, ref byte[]? replaced)
    {
        Command? found = server.Commands.Find(context[0]);
        if (found is not null && IsDenied(found) && !found.IsContainer && found.AcceptsArgumentCount(context.Count))
        {
            CommandRejection.Reject(ref context, found, $"ERR command '{found.FullName}' is not allowed on script mode");
            replaced = NotAllowed;
            return false;
        }

        if (!CommandAdmission.TryResolve(ref context, found))
        {
            context.Reply.Flush();
            replaced =
                _reply.Written.StartsWith("-ERR unknown command '"u8) ? Unknown
                : _reply.Written.StartsWith("-ERR wrong number of arguments for "u8) ? WrongCount
                : null;
            return false;
        }

        CommandFlags flags = context.Command.Flags;
        if (IsDenied(context.Command))
        {
            CommandRejection.Reject(
                ref context,
                context.Command,
                $"ERR command '{context.Command.FullName}' is not allowed on script mode"
            );
            replaced = NotAllowed;
            return false;
        }

        if (run.Client.Login.IsRestricted && !CommandAdmission.IsPermitted(ref context))
        {
            context.Reply.Flush();
            replaced = [.. "ERR ACL failure in script: "u8, .. _reply.Written["-NOPERM ".Length..^2]];
            return false;
        }

        if (run.IsReadOnly && (flags & (CommandFlags.Write | CommandFlags.MayReplicate)) != 0)
        {
            CommandRejection.Reject(ref context, context.Command, Writes);
            return false;
        }

        // The effects of a script must fit into one buffer, as those of a transaction.
        bool writes = context.HasSink && context.Command.IsWrite;
        if (writes && run.Client.Propagation.Bytes + context.ArgumentBytes > server.Admission.MaxEffectBytes)
        {
            CommandRejection.Reject(ref context, context.Command, ErrorText.TooLong);
            return false;
        }

        bool isLetIn = CommandAdmission.IsLetIn(ref context, run.AllowsOom || run.HasWritten);
        if (isLetIn && context.Command.IsWrite)
            run.HasWritten = true;
        return isLetIn;
    }
}
