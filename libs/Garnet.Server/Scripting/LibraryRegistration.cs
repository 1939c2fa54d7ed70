// What a library registers while it is being loaded. Used by the thread that loads it.
using Garnet.Lua.Execution;
using Garnet.Lua.Values;

namespace Garnet.Server.Scripting;

/// <summary>server.register_function, with a name and a function or with one table of named arguments.</summary>
internal sealed class LibraryRegistration
{
    private const string Caller = "server.register_function";

    private readonly List<LibraryFunction> _functions = [];
    private readonly HashSet<string> _names = [];

    /// <summary>The functions so far.</summary>
    public IReadOnlyList<LibraryFunction> Functions => _functions;

    /// <summary>Whether a library is being loaded.</summary>
    public bool IsOpen { get; set; }

    /// <summary>What is wrong with the functions together; null if nothing.</summary>
    public string? Problem
    {
        get
        {
            _names.Clear();
            foreach (LibraryFunction function in _functions)
            {
                if (!LibraryHeader.IsName(function.Name))
                    return "Function names can only contain letters, numbers, or underscores(_) and must be at least one character long";
                if (!_names.Add(function.Name))
                    return "Function already exists in the library";
            }

            return _functions.Count == 0 ? "No functions registered" : null;
        }
    }

    /// <summary>Forgets the functions of the library before.</summary>
    public void Begin()
    {
        _functions.Clear();
        _names.Clear();
    }

    /// <summary>Registers a function.</summary>
    public int Register(NativeCall call)
    {
        if (!IsOpen)
            throw Error(call, $"{Caller} can only be called on FUNCTION LOAD command");
        LibraryFunction function = call.Count switch
        {
            1 => ReadNamed(call),
            2 => ReadPositional(call),
            _ => throw Error(call, "wrong number of arguments to " + Caller),
        };
        // In use from now on, as what the library keeps; whoever loads it decides what stays.
        call.State.Heap.Charge(function.Bytes);
        call.State.Heap.HostBytes += function.Bytes;
        call.State.Roots.Add(function.Callback);
        _functions.Add(function);
        return 0;
    }

    private static LibraryFunction ReadPositional(NativeCall call)
    {
        string name = TextOf(call, call[1]) ?? throw Error(call, $"first argument to {Caller} must be a string");
        return call[2].Type == LuaType.Function
            ? new LibraryFunction(name, null, call[2], ScriptFlags.None)
            : throw Error(call, $"second argument to {Caller} must be a function");
    }

    private static LibraryFunction ReadNamed(NativeCall call)
    {
        if (call[1].Object is not LuaTable table)
            throw Error(call, $"calling {Caller} with a single argument is only applicable to Lua table (representing named arguments).");

        string? name = null;
        string? description = null;
        LuaValue callback = LuaValue.Nil;
        ScriptFlags flags = ScriptFlags.None;
        LuaValue key = LuaValue.Nil;
        LuaValue value = default;
        while (table.Next(ref key, ref value))
        {
            string argument = TextOf(call, key) ?? throw Error(call, $"named argument key given to {Caller} is not a string");
            switch (argument.ToLowerInvariant())
            {
                case "function_name":
                    name = TextOf(call, value) ?? throw Error(call, $"function_name argument given to {Caller} must be a string");
                    break;
                case "description":
                    description =
                        UpToZero(TextOf(call, value)) ?? throw Error(call, $"description argument given to {Caller} must be a string");
                    break;
                case "callback":
                    callback =
                        value.Type == LuaType.Function
                            ? value
                            : throw Error(call, $"callback argument given to {Caller} must be a function");
                    break;
                case "flags":
                    flags = ReadFlags(call, value);
                    break;
                default:
                    throw Error(call, "unknown argument given to " + Caller);
            }
        }

        if (name is null)
            throw Error(call, Caller + " must get a function name argument");
        return callback.IsNil
            ? throw Error(call, Caller + " must get a callback argument")
            : new LibraryFunction(name, description, callback, flags);
    }

    private static ScriptFlags ReadFlags(NativeCall call, in LuaValue value)
    {
        if (value.Object is not LuaTable table)
            throw Error(call, $"flags argument to {Caller} must be a table representing function flags");
        ScriptFlags flags = ScriptFlags.None;
        LuaValue element;
        for (int i = 1; !(element = table.Get(i)).IsNil; i++)
        {
            if (TextOf(call, element) is not { } name || !ScriptShebang.TryGetFlag(name.ToLowerInvariant(), out ScriptFlags flag))
                throw Error(call, "unknown flag given");
            flags |= flag;
        }

        return flags;
    }

    // Strings and numbers, as a text of one character for each byte.
    private static string? TextOf(NativeCall call, in LuaValue value) =>
        value.Object switch
        {
            LuaString text => text.ToString(),
            null => call.State.ToText(value.Number).ToString(),
            _ => null,
        };

    private static string? UpToZero(string? text) => text is null ? null : CText.UpToZero(text);

    private static LuaException Error(NativeCall call, string text) =>
        new(ReplyReader.ErrorTable(call.State, [.. "ERR "u8, .. System.Text.Encoding.ASCII.GetBytes(text)], isCounted: false));
}
