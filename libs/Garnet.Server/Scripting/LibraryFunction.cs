// A function that clients call by its name. Immutable; its callback runs on the machine of all functions.
using Garnet.Lua.Execution;
using Garnet.Lua.Values;

namespace Garnet.Server.Scripting;

/// <summary>What a library registered under a name.</summary>
internal sealed class LibraryFunction(string name, string? description, LuaValue callback, ScriptFlags flags) : RunnableScript(flags)
{
    private const int OverheadBytes = 120;

    /// <inheritdoc/>
    public override string Name => name;

    /// <inheritdoc/>
    public override bool IsFunction => true;

    /// <summary>The callback's code; null if it is a function of the interpreter.</summary>
    public Prototype? Code => (callback.Object as LuaClosure)?.Prototype;

    /// <summary>What the library says about it, one character for each byte; null if nothing.</summary>
    public string? Description => description;

    /// <summary>Called with a table of keys and one of arguments.</summary>
    public LuaValue Callback => callback;

    /// <summary>Memory, without the callback's.</summary>
    public long Bytes => OverheadBytes + (2L * (name.Length + (description?.Length ?? 0)));
}
