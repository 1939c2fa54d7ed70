// A function in the syntax tree. Immutable after parsing; one thread.
namespace Garnet.Lua.Compilation;

/// <summary>Parameters and statements of a function.</summary>
internal sealed class FunctionBody
{
    public required List<LocalVariable> Parameters { get; init; }

    public required Statement[] Statements { get; init; }

    public required Capture[] Captures { get; init; }

    public required bool IsVararg { get; init; }

    /// <summary>The variable arg of a function that takes extra arguments and does not use them by name.</summary>
    public required LocalVariable? ArgumentTable { get; init; }

    public required bool FillsArgumentTable { get; init; }

    public required int Line { get; init; }

    public required int EndLine { get; init; }
}
