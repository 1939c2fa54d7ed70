// What an operand is called in the source, for error messages. Immutable; any thread.
namespace Garnet.Lua.Execution;

/// <summary>For example <c>local 'x'</c>.</summary>
internal readonly record struct OperandName(OperandKind Kind, string Name)
{
    /// <summary>The kind as messages call it.</summary>
    public string KindText =>
        Kind switch
        {
            OperandKind.Local => "local",
            OperandKind.Upvalue => "upvalue",
            OperandKind.Global => "global",
            OperandKind.Method => "method",
            _ => "field",
        };
}
