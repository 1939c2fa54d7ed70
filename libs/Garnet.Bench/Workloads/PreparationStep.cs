// A preparation that can be sent. Immutable.
namespace Garnet.Bench.Workloads;

/// <summary>What is sent before a workload is measured.</summary>
/// <param name="Template">Its requests.</param>
/// <param name="Times">How many; null for one a number of the range.</param>
internal sealed record PreparationStep(CommandTemplate Template, int? Times);
