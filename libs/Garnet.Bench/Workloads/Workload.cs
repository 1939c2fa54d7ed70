// What one measurement sends. Immutable.
namespace Garnet.Bench.Workloads;

/// <summary>Commands that each connection sends in their order, over and over.</summary>
/// <param name="Name">The name of the measurement.</param>
/// <param name="Commands">The commands; at least one.</param>
/// <param name="Preparation">What is sent before; null for nothing.</param>
internal sealed record Workload(string Name, IReadOnlyList<WorkloadCommand> Commands, PreparationStep? Preparation = null);
