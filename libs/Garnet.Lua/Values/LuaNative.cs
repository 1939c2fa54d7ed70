// A function of the host. Immutable; may be shared by states of different threads.
namespace Garnet.Lua.Values;

/// <summary>A function of the host as a value.</summary>
internal sealed class LuaNative(string name, NativeBody body, params object[] held)
{
    public readonly NativeBody Body = body;

    /// <summary>The name in messages about wrong arguments.</summary>
    public string Name { get; } = name;

    /// <summary>The values of a state that the function itself refers to. Only functions that one state made have any.</summary>
    public ReadOnlySpan<object> Held => held;
}
