// The unary operators. Immutable; any thread.
namespace Garnet.Lua.Compilation;

internal enum UnaryOperator
{
    Negate,
    Not,
    Length,
}
