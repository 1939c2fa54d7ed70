// Builds tables of host functions. Used while a library is created.
using Garnet.Lua.Values;

namespace Garnet.Lua.Libraries;

/// <summary>A library: names and functions, then read-only and shared by all states.</summary>
internal static class NativeTable
{
    public static LuaTable Create(params (string Name, NativeBody Body)[] functions)
    {
        var table = new LuaTable();
        foreach ((string name, NativeBody body) in functions)
            table.Set(name, new LuaValue(new LuaNative(name, body)));
        return table;
    }
}
