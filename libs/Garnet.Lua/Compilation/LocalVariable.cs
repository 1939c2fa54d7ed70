// A local variable of the source. Used by the thread that compiles.
namespace Garnet.Lua.Compilation;

/// <summary>A declared variable or parameter.</summary>
internal sealed class LocalVariable(string name)
{
    public string Name { get; } = name;

    /// <summary>A nested function uses it, so it lives in a box.</summary>
    public bool IsCaptured { get; set; }

    /// <summary>Its register, while code for its block is generated.</summary>
    public int Register { get; set; } = -1;
}
