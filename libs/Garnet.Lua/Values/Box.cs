// A local variable that a nested function uses. Used by the thread that runs the state.
namespace Garnet.Lua.Values;

/// <summary>The place of a captured local variable, shared by the function that declares it and the functions that use it.</summary>
internal sealed class Box
{
    public LuaValue Value;

    /// <summary>The last walk over the live values that met this variable.</summary>
    public int Mark;
}
