// A local variable of the source. Used by the thread that compiles.
using Garnet.Lua.Values;

namespace Garnet.Lua.Compilation;

/// <summary>A declared variable or parameter; one that a loop keeps for itself has no symbol, as no source can name it.</summary>
internal sealed class LocalVariable(LuaString name, Symbol? symbol)
{
    public LocalVariable(Symbol symbol)
        : this(symbol.Text, symbol) { }

    public LuaString Name => name;

    public Symbol? Symbol => symbol;

    /// <summary>The function that declares it, while it is visible.</summary>
    public FunctionScope? Scope { get; set; }

    /// <summary>The variable of the same name that it hides.</summary>
    public LocalVariable? Hidden { get; set; }

    /// <summary>A nested function uses it, so it lives in a box.</summary>
    public bool IsCaptured { get; set; }

    /// <summary>Its register, while code for its block is generated.</summary>
    public int Register { get; set; } = -1;
}
