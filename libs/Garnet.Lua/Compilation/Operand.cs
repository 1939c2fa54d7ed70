// Where an operand is. Immutable; one thread.
namespace Garnet.Lua.Compilation;

/// <summary>A register with a value or, for a captured variable, with the box from which the value is read when it is used.</summary>
internal readonly record struct Operand(int Register, bool IsBox);
