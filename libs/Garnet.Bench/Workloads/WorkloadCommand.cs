// A command of a workload. Immutable.
using Garnet.Bench.Options;

namespace Garnet.Bench.Workloads;

/// <summary>What one command of the mix is.</summary>
/// <param name="Template">Its requests.</param>
/// <param name="Repeats">How often it is sent in a row before the next command's turn.</param>
/// <param name="Pattern">How its keys are chosen.</param>
/// <param name="IsVerified">Whether its replies must be null or the value of their key.</param>
internal sealed record WorkloadCommand(CommandTemplate Template, int Repeats, KeyPattern Pattern, bool IsVerified = false)
{
    /// <summary>Whether the connections of a thread take turns in one sequence of its part of the keys, instead of one each.</summary>
    public bool SharesKeys { get; init; }
}
