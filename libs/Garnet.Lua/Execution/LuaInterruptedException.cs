// The end of a script by its host. Used by the thread that runs the state.
using System.Diagnostics.CodeAnalysis;

namespace Garnet.Lua.Execution;

/// <summary>Thrown by the host to end a script; scripts cannot catch it.</summary>
[SuppressMessage("Design", "CA1032", Justification = "only the host ends scripts, and says why")]
internal sealed class LuaInterruptedException(string message) : Exception(message);
