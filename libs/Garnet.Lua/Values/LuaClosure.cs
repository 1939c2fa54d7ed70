// A function of a script with its captured variables. Used by the thread that runs the state.
using Garnet.Lua.Execution;

namespace Garnet.Lua.Values;

/// <summary>A compiled function and what it captured when it was created.</summary>
internal sealed class LuaClosure(Prototype prototype, Box[] upvalues, LuaTable environment)
{
    public readonly Prototype Prototype = prototype;
    public readonly Box[] Upvalues = upvalues;

    /// <summary>The table of its global variables.</summary>
    public LuaTable Environment = environment;

    /// <summary>The last walk over the live values that met this function.</summary>
    public int Mark;
}
