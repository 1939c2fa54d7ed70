// All libraries together. Stateless; any thread, each for its own state.
using Garnet.Lua.Execution;
using Garnet.Lua.Values;

namespace Garnet.Lua.Libraries;

/// <summary>Adds the libraries to a state. Their tables can be changed until the host makes them read-only.</summary>
internal static class StandardLibraries
{
    private const int FunctionBytes = 150;

    /// <param name="state">The state.</param>
    /// <param name="insecure">Whether functions that change environments are added, too.</param>
    public static void AddTo(LuaState state, bool insecure = false)
    {
        LuaTable globals = state.Globals;
        BaseLibrary.AddTo(globals);
        if (insecure)
            BaseLibrary.AddInsecureTo(globals);
        globals.Set("coroutine", new LuaValue(CoroutineLibrary.Create()));
        LuaTable strings = StringLibrary.Create();
        globals.Set("string", new LuaValue(strings));
        globals.Set("table", new LuaValue(TableLibrary.Create()));
        globals.Set("math", new LuaValue(MathLibrary.Create()));
        globals.Set("bit", new LuaValue(BitLibrary.Create()));
        globals.Set("struct", new LuaValue(StructLibrary.Create()));
        globals.Set("cjson", new LuaValue(JsonLibrary.Create()));
        globals.Set("cmsgpack", new LuaValue(MessagePackLibrary.Create()));
        globals.Set("os", new LuaValue(SystemLibrary.Create()));
        var methods = new LuaTable();
        methods.Set("__index", new LuaValue(strings));
        state.StringMetatable = methods;
    }

    /// <summary>The memory of tables and functions that a table of globals reaches.</summary>
    public static long BytesOf(LuaTable globals)
    {
        var seen = new HashSet<object>(ReferenceEqualityComparer.Instance) { globals };
        var pending = new Stack<LuaTable>([globals]);
        long bytes = 0;
        while (pending.TryPop(out LuaTable? table))
        {
            bytes += table.Bytes;
            LuaValue key = LuaValue.Nil;
            LuaValue value = default;
            while (table.Next(ref key, ref value))
            {
                if (value.Object is null || !seen.Add(value.Object))
                    continue;
                bytes += value.Object is LuaNative ? FunctionBytes : 0;
                if (value.Object is LuaTable inner)
                    pending.Push(inner);
            }
        }

        return bytes;
    }
}
