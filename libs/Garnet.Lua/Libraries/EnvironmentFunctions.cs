// Functions that hosts offer only on request. Stateless; the functions run on the thread that runs the state.
using Garnet.Lua.Execution;
using Garnet.Lua.Values;

namespace Garnet.Lua.Libraries;

/// <summary>getfenv, setfenv and newproxy.</summary>
internal static class EnvironmentFunctions
{
    public static int Get(NativeCall call)
    {
        LuaValue function = call[1].Type == LuaType.Function ? call[1] : FunctionAt(call, call.OptionalInteger(1, 1));
        return call.Return(new LuaValue(function.Object is LuaClosure closure ? closure.Environment : call.State.Globals));
    }

    public static int Set(NativeCall call)
    {
        LuaTable environment = call.CheckTable(2);
        LuaValue function = call[1].Type == LuaType.Function ? call[1] : FunctionAt(call, call.CheckInteger(1));
        if (function.Object is not LuaClosure closure)
            throw call.Error("'setfenv' cannot change environment of given object");
        closure.Environment = environment;
        return call.Return(function);
    }

    public static int NewProxy(NativeCall call)
    {
        LuaValue option = call[1];
        if (option.Object is LuaUserdata other)
            return call.Return(new LuaValue(new LuaUserdata(other.Metatable)));
        call.State.Heap.Charge(32);
        return call.Return(new LuaValue(new LuaUserdata(option.IsTruthy ? call.State.Heap.NewTable() : null)));
    }

    private static LuaValue FunctionAt(NativeCall call, int level)
    {
        if (level < 0)
            throw call.ArgumentError(1, "level must be non-negative");
        int frame = call.Thread.FrameCount - Math.Max(1, level);
        return frame >= 0 ? new LuaValue(call.Thread.FrameAt(frame).Closure) : throw call.ArgumentError(1, "invalid level");
    }
}
