// An error in source code. Immutable; any thread.
using System.Diagnostics.CodeAnalysis;

namespace Garnet.Lua.Compilation;

/// <summary>Source that is not Lua, with the position: each character of the message is a byte.</summary>
[SuppressMessage("Design", "CA1032", Justification = "an error without a message does not exist")]
internal sealed class LuaSyntaxException(string message) : Exception(message);
