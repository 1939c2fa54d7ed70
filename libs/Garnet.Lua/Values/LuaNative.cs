// A function of the host. Immutable; may be shared by states of different threads.
namespace Garnet.Lua.Values;

/// <summary>A function of the host as a value. Most are shared; those that a state makes while a script runs count as its memory.</summary>
internal sealed class LuaNative(string name, NativeBody body, params object[] held)
{
    public readonly NativeBody Body = body;

    /// <summary>The name in messages about wrong arguments.</summary>
    public string Name { get; } = name;

    /// <summary>The values of a state that the function itself refers to. Only functions that one state made have any.</summary>
    public ReadOnlySpan<object> Held => held;

    /// <summary>The memory of the function itself, if one state made it for a script; 0 for shared functions.</summary>
    public int OwnBytes { get; init; }

    /// <summary>The last walk over the live values that met this function, if it has memory of its own.</summary>
    public int Mark { get; set; }
}
