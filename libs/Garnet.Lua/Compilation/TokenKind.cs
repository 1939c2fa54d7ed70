// The words of the language. Immutable; any thread.
namespace Garnet.Lua.Compilation;

/// <summary>What a token is. The reserved words come first, in alphabetical order.</summary>
internal enum TokenKind
{
    And,
    Break,
    Do,
    Else,
    ElseIf,
    End,
    False,
    For,
    Function,
    If,
    In,
    Local,
    Nil,
    Not,
    Or,
    Repeat,
    Return,
    Then,
    True,
    Until,
    While,
    Concatenate,
    Dots,
    Equal,
    GreaterEqual,
    LessEqual,
    NotEqual,
    Number,
    Name,
    String,
    EndOfSource,

    /// <summary>A single character, or a byte that begins no token.</summary>
    Character,
}
