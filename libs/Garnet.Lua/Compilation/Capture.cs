// How a nested function gets a variable. Immutable; one thread.
namespace Garnet.Lua.Compilation;

/// <summary>A local variable of the enclosing function, or (if null) the enclosing function's own upvalue.</summary>
internal readonly record struct Capture(LocalVariable? Local, int Upvalue);
