// What an operand is called in the source, for error messages. Immutable; any thread.
namespace Garnet.Lua.Execution;

/// <summary>The operand <paramref name="Operand"/> of the instruction <paramref name="Pc"/> is, for example, <c>local 'x'</c>.</summary>
internal readonly record struct OperandName(int Pc, int Operand, string Kind, string Name);
