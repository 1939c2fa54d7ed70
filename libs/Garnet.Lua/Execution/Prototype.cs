// A compiled function. Immutable; shared by all threads and states.
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

    /// <summary>The same function with what it captures from its enclosing one.</summary>
    public Prototype WithCaptures(int[] captures) =>
        new()
        {
            Code = Code,
            Constants = Constants,
            Nested = Nested,
            Captures = captures,
            Lines = Lines,
            Names = Names,
            Parameters = Parameters,
            IsVararg = IsVararg,
            Registers = Registers,
            Source = Source,
            Line = Line,
        };

    /// <summary>Code and constants in memory, including nested functions.</summary>
    public long Bytes
    {
        get
        {
            long bytes = 240 + (Code.Length * 8L) + (Constants.Length * 16L) + (Captures.Length * 4L) + Lines.Bytes + Names.Bytes;
            foreach (LuaValue constant in Constants)
                bytes += constant.Object is LuaString text && LibraryNames.Find(text.ToString()) is null ? 64 : 0;
            foreach (Prototype nested in Nested)
                bytes += nested.Bytes;
            return bytes;
        }
    }
}
