// The objects that stand for nil, true and false in a value. Immutable; any thread.
namespace Garnet.Lua.Values;

/// <summary>A value that has only one instance: nil or a boolean.</summary>
internal sealed class LuaSingleton
{
    public static readonly LuaSingleton Nil = new();
    public static readonly LuaSingleton True = new();
    public static readonly LuaSingleton False = new();

    private LuaSingleton() { }
}
