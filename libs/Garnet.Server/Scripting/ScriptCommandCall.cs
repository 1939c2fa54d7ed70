// Commands that scripts call. On the thread that runs the script.
using System.Text;
using Garnet.Engine.Counters;
using Garnet.Engine.Execution;
using Garnet.Engine.Rules;
using Garnet.Lua.Execution;
using Garnet.Lua.Values;
using Garnet.Protocol;
using Garnet.Server.Acl;
using Garnet.Server.Modules;

namespace Garnet.Server.Scripting;

/// <summary>
/// server.call and server.pcall: the script's arguments become a request that passes the rules for commands of scripts, and the reply
/// becomes a value.
/// </summary>
internal sealed class ScriptCommandCall(ScriptMachine machine, ScriptHost host)
{
    private const int CallInstructions = 30;
    private const int SlowCallInstructions = 5000;

    private static readonly byte[] NotAllowed = "ERR This Valkey command is not allowed from script"u8.ToArray();
    private static readonly byte[] WrongCount = "ERR Wrong number of args calling command from script"u8.ToArray();
    private static readonly byte[] OfStaleData = "ERR Can not execute the command on a stale replica"u8.ToArray();
    private static readonly byte[] Unknown = "ERR Unknown command called from script"u8.ToArray();

    private readonly ScopedRequest _request = new();
    private FilteredRequest? _filtered;

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
        CommandContext context = _request.NewContext(run);
        Command? found = host.Commands.Find(context[0]);
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
        _request.Clear();
        if (call.Count == 0)
            return "ERR Please specify at least one argument for this call"u8.ToArray();
        Span<byte> number = stackalloc byte[Math.Max(NumberText.MaxLength, Math.Max(DoubleText.MaxLength, IntegerText.MaxLength))];
        for (int i = 1; i <= call.Count; i++)
        {
            LuaValue argument = call[i];
            switch (argument.Object)
            {
                case LuaString text:
                    _request.Append(text.Span);
                    break;
                case null:
                    long integer = NumberText.ToLong(argument.Number);
                    // A NaN keeps its sign, as where scripts print it.
                    int length =
                        double.IsNaN(argument.Number) ? NumberText.Format(argument.Number, number)
                        : integer == argument.Number && Math.Abs(argument.Number) <= long.MaxValue / 2 ? IntegerText.Format(integer, number)
                        : DoubleText.Format(argument.Number, number);
                    _request.Append(number[..length]);
                    break;
                default:
                    return "ERR Command arguments must be strings or integers"u8.ToArray();
            }
        }

        return null;
    }

    private LuaValue CallCommand(LuaState state)
    {
        ScriptRun run = machine.Run!;
        // Others wait for the next step: it must not be thousands of commands away.
        state.ChargeInstructions(run.IsSlow ? SlowCallInstructions : CallInstructions);
        CommandContext context = _request.NewContext(run);
        byte[]? replaced = null;
        if (PassesFilters(ref context) && IsAdmitted(ref context, run, ref replaced))
            run.Execute(ref context);
        _failed = context.Reply.ErrorCount > 0;
        context.Reply.Flush();
        if (replaced is not null)
            return ReplyReader.ErrorTable(state, replaced, isCounted: true);
        state.ChargeInstructions(_request.Reply.Length >> 4);
        return new ReplyReader(state, _request.Reply).Read();
    }

    private bool PassesFilters(ref CommandContext context)
    {
        if (!host.Filters.AreOn)
            return true;
        Command? found = null;
        return host.Filters.Apply(ref context, _filtered ??= new FilteredRequest(_request), CommandOrigin.Script, ref found);
    }

    // Errors of the rules for requests have texts of their own in scripts.
    private bool IsAdmitted(ref CommandContext context, ScriptRun run, ref byte[]? replaced)
    {
        context.AllowsOom = run.AllowsOom || run.HasWritten;
        if (context.Client.Executor.Admit(ref context, host.Commands.Find(context[0])) == Admission.Run)
        {
            run.HasWritten |= context.Command.IsWrite;
            return true;
        }

        replaced = context.Refusal switch
        {
            { Kind: RefusalKind.NotFromScript } => NotAllowed,
            { Kind: RefusalKind.UnknownCommand } => Unknown,
            { Kind: RefusalKind.WrongArgumentCount } => WrongCount,
            { Kind: RefusalKind.PrimaryDown } => OfStaleData,
            { IsOfPermission: true } refusal => Encoding.Latin1.GetBytes("ERR ACL failure in script: " + RefusalText.Denial(refusal)),
            _ => null,
        };
        return false;
    }
}
