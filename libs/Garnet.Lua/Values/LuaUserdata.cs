// Opaque values. Used by the thread that runs the state; those that are shared never change.
namespace Garnet.Lua.Values;

/// <summary>A value without content for scripts, such as JSON's null.</summary>
internal sealed class LuaUserdata(LuaTable? metatable, bool isNull = false)
{
    public LuaTable? Metatable { get; } = metatable;

    /// <summary>The last walk over the live values that met this value; only those of one state are met.</summary>
    public int Mark { get; set; }

    /// <summary>Printed as the null pointer, and shared by all states.</summary>
    public bool IsNull { get; } = isNull;
}
