// A function of the host. Immutable; may be shared by states of different threads.
using Garnet.Lua.Execution;

namespace Garnet.Lua.Values;

/// <summary>Runs a function of the host: reads the arguments from the call, pushes results, and returns their number.</summary>
internal delegate int NativeBody(NativeCall call);

/// <summary>A function of the host as a value.</summary>
internal sealed class LuaNative(string name, NativeBody body)
{
    public readonly NativeBody Body = body;

    /// <summary>The name in messages about wrong arguments.</summary>
    public string Name { get; } = name;
}
