// Protects tables from scripts. Used before a state runs scripts.
using Garnet.Lua.Values;

namespace Garnet.Lua.Libraries;

/// <summary>Makes a table read-only, with all tables that it contains and their metatables.</summary>
internal static class ReadOnlyTables
{
    public static void Protect(LuaTable table)
    {
        var pending = new Stack<LuaTable>();
        pending.Push(table);
        while (pending.TryPop(out LuaTable? next))
        {
            if (next.IsReadOnly)
                continue;
            next.IsReadOnly = true;
            if (next.Metatable is { } metatable)
                pending.Push(metatable);
            LuaValue key = LuaValue.Nil;
            LuaValue value = default;
            while (next.Next(ref key, ref value))
            {
                if (value.Object is LuaTable inner)
                    pending.Push(inner);
            }
        }
    }
}
