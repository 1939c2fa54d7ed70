// One row of the table of options. Immutable.
namespace Garnet.Bench.Options;

/// <summary>An option: its names, its help, and what it sets.</summary>
/// <param name="Group">Heading of the help.</param>
/// <param name="Names">All names, the one that messages use last.</param>
/// <param name="Argument">What stands for its value in the help; null for a flag, which has none.</param>
/// <param name="Help">What it does.</param>
/// <param name="Set">Stores the value; throws <see cref="BenchException"/> with what the value must be.</param>
internal sealed record BenchOption(string Group, string[] Names, string? Argument, string Help, Action<BenchOptions, string> Set)
{
    /// <summary>The name used in messages.</summary>
    public string Name => Names[^1];
}
