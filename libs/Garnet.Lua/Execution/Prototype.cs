// A compiled function. Immutable but for the mark of owned ones; others are shared by all threads and states.
using System.Diagnostics.CodeAnalysis;
using Garnet.Lua.Values;

namespace Garnet.Lua.Execution;

/// <summary>The code of a function and what it needs: constants, nested functions, and what it captures.</summary>
[SuppressMessage("Performance", "CA1819", Justification = "the interpreter reads the arrays directly")]
internal sealed class Prototype
{
    public required Instruction[] Code { get; init; }

    public required LuaValue[] Constants { get; init; }

    public required Prototype[] Nested { get; init; }

    /// <summary>
    /// For each captured variable: at least 0 the register of the enclosing function, below 0 the complement of its upvalue.
    /// </summary>
    public required int[] Captures { get; init; }

    public required LineTable Lines { get; init; }

    public required NameTable Names { get; init; }

    public required int Parameters { get; init; }

    public required bool IsVararg { get; init; }

    /// <summary>The number of registers.</summary>
    public required int Registers { get; init; }

    /// <summary>The name of the chunk as positions show it, for example <c>user_script</c>.</summary>
    public required string Source { get; init; }

    /// <summary>The line on which the function begins; 0 for a chunk.</summary>
    public required int Line { get; init; }

    /// <summary>A script of one state compiled it at run time, so that it is that state's memory and not the host's.</summary>
    public bool IsOwned { get; init; }

    /// <summary>The last walk over the live values that met this function, if it is owned.</summary>
    public int Mark;

    /// <summary>Code and constants in memory, without nested functions and the texts of constants.</summary>
    public long OwnBytes =>
        240 + (Code.Length * 8L) + (Constants.Length * 16L) + (Captures.Length * 4L) + (Nested.Length * 8L) + Lines.Bytes + Names.Bytes;

    /// <summary>Code and constants in memory, including nested functions; texts are parts of a source that is counted elsewhere.</summary>
    public long Bytes
    {
        get
        {
            long bytes = OwnBytes;
            foreach (ref readonly LuaValue constant in Constants.AsSpan())
                bytes += constant.Object is LuaString { IsShared: false } ? 64 : 0;
            foreach (Prototype nested in Nested)
                bytes += nested.Bytes;
            return bytes;
        }
    }
}
