// Functions that hosts offer only on request. Stateless; the functions run on the thread that runs the state.
using Garnet.Lua.Execution;
using Garnet.Lua.Values;

namespace Garnet.Lua.Libraries;

/// <summary>getfenv, setfenv and newproxy. The global variables of the state itself, level 0, cannot be exchanged.</summary>
internal static class EnvironmentFunctions
{
    public static int Get(NativeCall call)
    {
        object? function = call[1].Type == LuaType.Function ? call[1].Object : FunctionAt(call, call.OptionalInteger(1, 1));
        return call.Return(new LuaValue((function as LuaClosure)?.Environment ?? call.State.Globals));
    }

    public static int Set(NativeCall call)
    {
        LuaTable environment = call.CheckTable(2);
        object? function = call[1].Type == LuaType.Function ? call[1].Object : FunctionAt(call, call.CheckInteger(1));
        if (function is not LuaClosure closure)
            throw call.Error("'setfenv' cannot change environment of given object");
        closure.Environment = environment;
        return call.Return(new LuaValue(closure));
    }

    /// <summary>newproxy(true): with a new metatable; newproxy(proxy): with the metatable of another; otherwise without one.</summary>
    public static int NewProxy(NativeCall call)
    {
        LuaValue option = call[1];
        bool isProxy = option.Object is LuaUserdata { Metatable: not null };
        if (option.IsTruthy && !isProxy && option.Type != LuaType.Boolean)
            throw call.ArgumentError(1, "boolean or proxy expected");
        LuaTable? metatable =
            isProxy ? ((LuaUserdata)option.Object!).Metatable
            : option.IsTruthy ? call.State.Heap.NewTable()
            : null;
        call.State.Heap.Charge(40);
        return call.Return(new LuaValue(new LuaUserdata(metatable)));
    }

    // Null for level 0 and for functions of the host.
    private static LuaClosure? FunctionAt(NativeCall call, int wanted)
    {
        if (wanted < 0)
            throw call.ArgumentError(1, "level must be non-negative");
        LuaThread thread = call.Thread;
        int level = wanted;
        if (level == 0 || (thread.NativeCaller == FrameCaller.Native && --level == 0))
            return null;
        for (int i = thread.FrameCount - 1; i >= 0; i--)
        {
            Frame frame = thread.FrameAt(i);
            if (--level == 0)
                return frame.Closure;
            level -= frame.TailCalls;
            if (level <= 0)
                throw call.Error($"no function environment for tail call at level {wanted}");
            if (frame.Caller == FrameCaller.Native && --level == 0)
                return null;
        }

        throw call.ArgumentError(1, "invalid level");
    }
}
