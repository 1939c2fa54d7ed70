// The functions that scripts call on the server. On the thread that runs the script.
using System.Text;
using Garnet.Lua.Execution;
using Garnet.Lua.Libraries;
using Garnet.Lua.Values;
using Garnet.Server.Basics;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Scripting;

/// <summary>The table server, which old scripts call redis, and the protection of global variables.</summary>
internal static class ServerLibrary
{
    private const int LogWarning = 3;

    // A line of a log takes as long as so many instructions, and is no longer than that.
    private const int LogInstructions = 1000;
    private const int MaxLogged = 64 * 1024;
    private const int HashInstructions = 30;
    private const int ReplicateToLog = 1;
    private const int ReplicateToReplicas = 2;

    /// <summary>Adds the table to a machine's state and makes everything read-only.</summary>
    public static void AddTo(ScriptMachine machine)
    {
        LuaTable globals = machine.State.Globals;
        LuaTable table = CreateCommon(machine);
        table.Set("breakpoint", new LuaValue(new LuaNative("breakpoint", static call => call.Return(false))));
        table.Set("debug", new LuaValue(new LuaNative("debug", static _ => 0)));
        table.Set("replicate_commands", new LuaValue(new LuaNative("replicate_commands", static call => call.Return(true))));
        var handler = new LuaValue(new LuaNative("error_handler", static call => call.Return(HandleError(call))));
        globals.Set("__server__err__handler", handler);
        globals.Set("__redis__err__handler", handler);
        Finish(machine, table);
    }

    /// <summary>Adds what functions of libraries see of it.</summary>
    public static void AddForFunctionsTo(ScriptMachine machine) => Finish(machine, CreateCommon(machine));

    /// <summary>The only global variables of a library that is being loaded.</summary>
    /// <param name="machine">The machine that will run its functions.</param>
    /// <param name="register">Registers a function.</param>
    public static LuaTable CreateWhileLoading(ScriptMachine machine, NativeBody register)
    {
        LuaTable table = NativeTable.Create(("register_function", register), ("log", call => Log(call, machine)));
        AddLogLevels(table);
        AddVersions(table);
        table.Metatable = NativeTable.Create(("__index", MissingGlobal));
        var globals = new LuaTable();
        globals.Set("server", new LuaValue(table));
        globals.Set("redis", new LuaValue(table));
        globals.Metatable = NativeTable.Create(("__index", MissingGlobal));
        ReadOnlyTables.Protect(globals);
        return globals;
    }

    private static LuaTable CreateCommon(ScriptMachine machine)
    {
        LuaTable table = NativeTable.Create(
            ("call", call => machine.Commands.Call(call, raises: true)),
            ("pcall", call => machine.Commands.Call(call, raises: false)),
            ("acl_check_cmd", machine.Commands.CheckPermission),
            ("log", call => Log(call, machine)),
            ("setresp", call => SetProtocol(call, machine)),
            ("set_repl", call => SetReplication(call, machine)),
            ("sha1hex", Sha1Hex),
            ("error_reply", ErrorReply),
            ("status_reply", StatusReply)
        );
        AddLogLevels(table);
        AddVersions(table);
        AddReplication(table);
        return table;
    }

    private static void Finish(ScriptMachine machine, LuaTable table)
    {
        LuaTable globals = machine.State.Globals;
        globals.Set("server", new LuaValue(table));
        globals.Set("redis", new LuaValue(table));
        globals.Metatable = NativeTable.Create(("__index", MissingGlobal));
        ReadOnlyTables.Protect(globals);
        ReadOnlyTables.Protect(machine.State.StringMetatable!);
    }

    private static void AddLogLevels(LuaTable table) =>
        AddNumbers(table, ("LOG_DEBUG", 0), ("LOG_VERBOSE", 1), ("LOG_NOTICE", 2), ("LOG_WARNING", LogWarning));

    private static void AddReplication(LuaTable table) =>
        AddNumbers(
            table,
            ("REPL_NONE", 0),
            ("REPL_AOF", ReplicateToLog),
            ("REPL_SLAVE", ReplicateToReplicas),
            ("REPL_REPLICA", ReplicateToReplicas),
            ("REPL_ALL", ReplicateToLog | ReplicateToReplicas)
        );

    private static void AddNumbers(LuaTable table, params (string Name, int Value)[] numbers)
    {
        foreach ((string name, int value) in numbers)
            table.Set(name, new LuaValue((double)value));
    }

    private static void AddVersions(LuaTable table)
    {
        int number = VersionNumber(ServerVersion.Compatibility);
        AddNumbers(table, ("REDIS_VERSION_NUM", number), ("VALKEY_VERSION_NUM", number));
        table.Set("REDIS_VERSION", new LuaValue(new LuaString(ServerVersion.Compatibility)));
        table.Set("VALKEY_VERSION", new LuaValue(new LuaString(ServerVersion.Compatibility)));
        table.Set("SERVER_NAME", new LuaValue(new LuaString("garnet")));
    }

    private static int VersionNumber(string version)
    {
        var parts = Version.Parse(version);
        return (parts.Major << 16) | (parts.Minor << 8) | Math.Max(0, parts.Build);
    }

    private static LuaException Error(NativeCall call, ReadOnlySpan<byte> text) =>
        new(ReplyReader.ErrorTable(call.State, [.. "ERR "u8, .. text], isCounted: false));

    private static int MissingGlobal(NativeCall call)
    {
        if (call.Count != 2)
            throw call.Error("Wrong number of arguments to luaProtectedTableError");
        return call[2].Object is null or LuaString
            ? throw call.Error($"Script attempted to access nonexistent global variable '{call.CheckString(2).ToShownText()}'")
            : throw call.Error("Second argument to luaProtectedTableError must be a string or number");
    }

    // What the server does with an error: a table with the text and the position.
    private static LuaValue HandleError(NativeCall call)
    {
        LuaValue error = call[1];
        if (error.Object is not LuaTable)
        {
            var text = BaseLibrary.ToTextValue(call.Thread, error).Object as LuaString;
            LuaTable table = call.State.Heap.NewTable();
            table.Set("err", new LuaValue(call.State.Heap.NewString("ERR ", text is null ? [] : text.Span)));
            error = new LuaValue(table);
        }

        return error;
    }

    private static int Log(NativeCall call, ScriptMachine machine)
    {
        if (call.Count < 2)
            throw Error(call, "server.log() requires two arguments or more."u8);
        if (!Operations.TryToNumber(call.State, call[1], out double number))
            throw Error(call, "First argument must be a number (log level)."u8);
        int level = unchecked((int)NumberText.ToLong(number));
        if (level is < 0 or > LogWarning)
            throw Error(call, "Invalid log level."u8);
        var text = new StringBuilder();
        for (int i = 2; i <= call.Count && text.Length < MaxLogged; i++)
        {
            if (call[i].Object is not (null or LuaString))
                continue;
            ReadOnlySpan<byte> part = call.CheckString(i).Span;
            int length = Math.Min(part.Length, MaxLogged - text.Length);
            text.Append(i > 2 ? " " : "").Append(Encoding.Latin1.GetString(part[..length]));
            if (length < part.Length)
                text.Append("... (cut off)");
        }

        call.State.ChargeInstructions(LogInstructions + text.Length);

        machine.Log.Log(
            level switch
            {
                0 => LogLevel.Trace,
                1 => LogLevel.Debug,
                2 => LogLevel.Information,
                _ => LogLevel.Warning,
            },
            "{Text}",
            text.ToString()
        );
        return 0;
    }

    private static int SetProtocol(NativeCall call, ScriptMachine machine)
    {
        if (call.Count != 1)
            throw Error(call, "server.setresp() requires one argument."u8);
        Operations.TryToNumber(call.State, call[1], out double version);
        if ((int)version is not (2 or 3))
            throw Error(call, "RESP version must be 2 or 3."u8);
        machine.Run!.Protocol = (int)version;
        return 0;
    }

    private static int SetReplication(NativeCall call, ScriptMachine machine)
    {
        if (call.Count != 1)
            throw Error(call, "server.set_repl() requires one argument."u8);
        Operations.TryToNumber(call.State, call[1], out double number);
        long flags = NumberText.ToLong(number);
        if ((flags & ~(ReplicateToLog | ReplicateToReplicas)) != 0)
            throw Error(call, "Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE."u8);
        machine.Run!.Propagates = (flags & ReplicateToLog) != 0;
        return 0;
    }

    private static int Sha1Hex(NativeCall call)
    {
        if (call.Count != 1)
            throw Error(call, "wrong number of arguments"u8);
        ReadOnlySpan<byte> text = call[1].Object is null or LuaString ? call.CheckString(1).Span : [];
        call.State.ChargeInstructions(HashInstructions + (text.Length >> 3));
        Span<byte> digits = stackalloc byte[ScriptHash.TextLength];
        ScriptHash.Of(text).Format(digits);
        return call.Return(digits);
    }

    private static int ErrorReply(NativeCall call)
    {
        if (call.Count != 1 || call[1].Object is not LuaString text)
            return call.Return(WrongArguments(call));
        // C strings end at a NUL; a leading - stands before the code.
        ReadOnlySpan<byte> error = text.Span;
        int end = error.IndexOf((byte)0);
        if (end >= 0)
            error = error[..end];
        if (error.StartsWith("-"u8))
            error = error[1..];
        int space = error.IndexOf((byte)' ');
        byte[] message =
            space < 0 ? [.. "ERR "u8, .. error.Trim("\r\n"u8)] : [.. error[..space], (byte)' ', .. error[(space + 1)..].Trim("\r\n"u8)];
        return call.Return(ReplyReader.ErrorTable(call.State, message, isCounted: false));
    }

    private static int StatusReply(NativeCall call)
    {
        if (call.Count != 1 || call[1].Object is not LuaString)
            return call.Return(WrongArguments(call));
        LuaTable table = call.State.Heap.NewTable();
        table.Set("ok", call[1]);
        return call.Return(new LuaValue(table));
    }

    private static LuaValue WrongArguments(NativeCall call) =>
        ReplyReader.ErrorTable(call.State, "ERR wrong number or type of arguments"u8, isCounted: false);
}
