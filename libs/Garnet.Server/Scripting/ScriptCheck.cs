// What can be said about a script or a library of functions without running it. Stateless; any thread.
using System.Globalization;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Lua.Compilation;
using Garnet.Lua.Values;

namespace Garnet.Server.Scripting;

/// <summary>
/// Checks the first line, the syntax, and the calls of commands whose name is written out: that the command exists, may be called by
/// scripts, and takes so many arguments. What a script computes is not known.
/// </summary>
internal static class ScriptCheck
{
    private const string Name = "script";

    /// <summary>
    /// All problems with the lines where they are, in this order. After one of the first line or the syntax no others are known.
    /// </summary>
    public static List<(int Line, string Problem)> Run(byte[] source, CommandTable commands)
    {
        if (ReadFirstLine(source, out ReadOnlyMemory<byte> code, out ScriptFlags flags) is { } wrong)
            return [(1, wrong)];
        List<Expression.Call> calls = [];
        try
        {
            _ = LuaCompiler.Compile(code.Span, "=" + Name, calls);
        }
        catch (LuaSyntaxException e)
        {
            return [PositionOf(e.Message)];
        }

        List<(int Line, string Problem)> problems = [];
        foreach (Expression.Call call in calls)
        {
            if (IsOfServer(call) && ProblemOf(call, commands, flags) is { } problem)
                problems.Add((call.Line, problem));
        }

        problems.Sort(static (one, other) => one.Line.CompareTo(other.Line));
        return problems;
    }

    // A library says its name, a script does not.
    private static string? ReadFirstLine(byte[] source, out ReadOnlyMemory<byte> code, out ScriptFlags flags)
    {
        flags = ScriptFlags.Undeclared;
        int end = Math.Max(0, Array.IndexOf(source, (byte)'\n'));
        if (source.AsSpan(0, end).IndexOf(" name="u8) >= 0)
        {
            string? problem = LibraryHeader.Read(source, out LibraryHeader header);
            code = header.Code;
            return problem;
        }

        string? wrong = ScriptShebang.Read(source, out flags, out int length);
        code = source.AsMemory(length);
        return wrong?["ERR ".Length..];
    }

    private static (int Line, string Problem) PositionOf(string message)
    {
        string[] parts = message.Split(':', 3);
        return parts.Length == 3 && parts[0] == Name && int.TryParse(parts[1], CultureInfo.InvariantCulture, out int line)
            ? (line, parts[2].Trim())
            : (1, message);
    }

    private static bool IsOfServer(Expression.Call call) =>
        call is { Called: Expression.Index { Target: Expression.Global table, Key: Expression.Text function }, Arguments.Length: > 0 }
        && table.Name.ToString() is "redis" or "server"
        && function.Value.ToString() is "call" or "pcall";

    private static string? ProblemOf(Expression.Call call, CommandTable commands, ScriptFlags flags)
    {
        if (TextOf(call.Arguments[0]) is not { } name)
            return null;
        Command? command = commands.Find(name.Span);
        if (command is null)
            return $"there is no command '{name}'";
        if (command.IsContainer && call.Arguments.Length > 1)
        {
            if (TextOf(call.Arguments[1]) is not { } sub)
                return null;
            Command? found = command.FindSubcommand(sub.Span);
            if (found is null)
                return $"'{name}' has no subcommand '{sub}'";
            command = found;
        }

        // The last argument may stand for any number of them.
        bool isOpen = call.Arguments[^1].IsMultiple;
        int least = call.Arguments.Length - (isOpen ? 1 : 0);
        bool fits = isOpen
            ? command.Descriptor.Arity < 0 || least <= command.Descriptor.Arity
            : command.AcceptsArgumentCount(call.Arguments.Length) && command.Descriptor is not { Handler: null, MakeHandler: null };
        return !fits ? $"wrong number of arguments for '{command.FullName}'"
            : (command.Flags & CommandFlags.NoScript) != 0 ? $"'{command.FullName}' is not allowed in scripts"
            : (flags & ScriptFlags.NoWrites) != 0 && command.IsWrite ? $"'{command.FullName}' writes, but the script declares no-writes"
            : null;
    }

    private static LuaString? TextOf(Expression argument) => (argument as Expression.Text)?.Value;
}
