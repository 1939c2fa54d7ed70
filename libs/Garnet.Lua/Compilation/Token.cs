// One word of source code. Immutable; one thread.
namespace Garnet.Lua.Compilation;

/// <summary>A token, with the symbol of a name or string, the value of a number, or the character.</summary>
internal readonly record struct Token(TokenKind Kind, byte Character = 0, Symbol? Symbol = null, double Number = 0)
{
    public bool Is(char character) => Kind == TokenKind.Character && Character == character;
}
