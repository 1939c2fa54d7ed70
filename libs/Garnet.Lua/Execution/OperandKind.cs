// Kinds of operands that have names.
namespace Garnet.Lua.Execution;

/// <summary>What an operand was read from.</summary>
internal enum OperandKind
{
    Local,
    Upvalue,
    Global,
    Field,
    Method,

    /// <summary>A field whose key is computed.</summary>
    UnknownField,
}
