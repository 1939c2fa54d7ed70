// A command that makes what a test reads. Immutable.
namespace Garnet.Bench.Workloads;

/// <summary>Sent before the test, unmeasured.</summary>
/// <param name="Command">The command with its placeholders.</param>
internal sealed record Preparation(string Command)
{
    /// <summary>How often it is sent; null for once with each number of <c>__rand_1st__</c>, so that whatever is read is there.</summary>
    public int? Times { get; init; }
}
