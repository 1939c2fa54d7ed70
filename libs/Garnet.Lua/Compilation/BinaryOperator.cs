// The binary operators. Immutable; any thread.
namespace Garnet.Lua.Compilation;

/// <summary>The first six are in the order of the arithmetic instructions.</summary>
internal enum BinaryOperator
{
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Power,
    Concatenate,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    And,
    Or,
}
