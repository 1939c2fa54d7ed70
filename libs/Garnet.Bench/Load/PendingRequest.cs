// A request whose reply is to come. A plain value.
namespace Garnet.Bench.Load;

/// <summary>What has to be known when the reply comes.</summary>
/// <param name="Start">The timestamp from which its latency counts: when it was sent, or due.</param>
/// <param name="Command">Index of the command in the workload.</param>
/// <param name="Key">The key whose value the reply must be, where replies are verified.</param>
internal readonly record struct PendingRequest(long Start, int Command, long Key);
