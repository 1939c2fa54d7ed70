// The only function of the operating system that scripts get. Stateless; runs on the thread that runs the state.
using Garnet.Lua.Values;

namespace Garnet.Lua.Libraries;

/// <summary>os.clock: seconds of processor time, for measurements.</summary>
internal static class SystemLibrary
{
    public static LuaTable Create() =>
        NativeTable.Create(("clock", static call => call.Return(Environment.CpuUsage.TotalTime.TotalSeconds)));
}
