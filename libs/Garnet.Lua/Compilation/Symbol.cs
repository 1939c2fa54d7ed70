// A name or text of a source. Used by the thread that compiles.
using Garnet.Lua.Values;

namespace Garnet.Lua.Compilation;

/// <summary>One object for each content, so that names are compared by reference and found without a search.</summary>
internal sealed class Symbol(LuaString text)
{
    public LuaString Text => text;

    /// <summary>The innermost variable of this name that is visible now, whatever function declares it; null for a global name.</summary>
    public LocalVariable? Visible { get; set; }
}
