// One word of source code. Immutable; one thread.
using Garnet.Lua.Values;

namespace Garnet.Lua.Compilation;

/// <summary>A token, with the text of a name or string, the value of a number, or the character.</summary>
internal readonly record struct Token(TokenKind Kind, byte Character = 0, LuaString? Text = null, double Number = 0)
{
    public bool Is(char character) => Kind == TokenKind.Character && Character == character;
}
