// A test with a name. Immutable.
namespace Garnet.Bench.Workloads;

/// <summary>One row of the table of tests.</summary>
/// <param name="Name">The name for -t; redis-benchmark's where it has the test.</param>
/// <param name="Command">The command with its placeholders.</param>
/// <param name="Preparation">Makes what it reads; null where it needs nothing.</param>
internal sealed record BuiltInTest(string Name, string Command, Preparation? Preparation = null)
{
    /// <summary>Other names of the test.</summary>
    public string[] Aliases { get; init; } = [];

    /// <summary>Whether the command is sent as a line, not as an array.</summary>
    public bool IsInline { get; init; }
}
