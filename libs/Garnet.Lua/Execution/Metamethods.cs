// Finds and calls metamethods. Used by the thread that runs the state; the names are immutable.
using Garnet.Lua.Values;

namespace Garnet.Lua.Execution;

/// <summary>What metatables define for values.</summary>
internal static class Metamethods
{
    private static readonly LuaString[] Names =
    [
        Name("__add"),
        Name("__sub"),
        Name("__mul"),
        Name("__div"),
        Name("__mod"),
        Name("__pow"),
        Name("__unm"),
        Name("__index"),
        Name("__newindex"),
        Name("__call"),
        Name("__eq"),
        Name("__lt"),
        Name("__le"),
        Name("__len"),
        Name("__concat"),
        Name("__tostring"),
        Name("__metatable"),
    ];

    public static LuaString NameOf(MetaEvent change) => Names[(int)change];

    public static LuaTable? MetatableOf(LuaState state, in LuaValue value) =>
        value.Object switch
        {
            LuaTable table => table.Metatable,
            LuaString => state.StringMetatable,
            LuaUserdata userdata => userdata.Metatable,
            _ => null,
        };

    /// <summary>The metamethod of a value, nil if there is none.</summary>
    public static LuaValue Find(LuaState state, in LuaValue value, MetaEvent change) => Find(MetatableOf(state, value), change);

    /// <summary>The metamethod in a metatable, nil if there is none. That one is absent is remembered until the table changes.</summary>
    public static LuaValue Find(LuaTable? metatable, MetaEvent change)
    {
        if (metatable is null || (metatable.AbsentEvents & (1u << (int)change)) != 0)
            return LuaValue.Nil;
        LuaValue found = metatable.Get(Names[(int)change]);
        if (found.IsNil && !metatable.IsReadOnly)
            metatable.AbsentEvents |= 1u << (int)change;
        return found;
    }

    /// <summary>Calls a function with two arguments for one result.</summary>
    public static LuaValue Call(LuaThread thread, in LuaValue function, in LuaValue first, in LuaValue second)
    {
        int top = thread.Top;
        thread.Push(function);
        thread.Push(first);
        thread.Push(second);
        thread.Call(top, 2, 1, FrameCaller.Metamethod);
        thread.Top = top;
        return thread.Stack[top];
    }

    /// <summary>Calls a function with three arguments for no result.</summary>
    public static void Call(LuaThread thread, in LuaValue function, in LuaValue first, in LuaValue second, in LuaValue third)
    {
        int top = thread.Top;
        thread.Push(function);
        thread.Push(first);
        thread.Push(second);
        thread.Push(third);
        thread.Call(top, 3, 0, FrameCaller.Metamethod);
        thread.Top = top;
    }

    private static LuaString Name(string text)
    {
        var name = new LuaString(text);
        _ = name.Hash;
        return name;
    }
}
