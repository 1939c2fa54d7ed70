// The operations that metatables can define. Immutable; any thread.
namespace Garnet.Lua.Execution;

/// <summary>The first six are those of the arithmetic instructions, in their order.</summary>
internal enum MetaEvent
{
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Power,
    Negate,
    Index,
    NewIndex,
    Call,
    Equal,
    Less,
    LessEqual,
    Length,
    Concatenate,
    ToString,
    Metatable,
}
