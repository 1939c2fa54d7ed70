// The highest latency within one second. Immutable.
namespace Garnet.Server.Logs;

/// <summary>One sample of a latency event.</summary>
/// <param name="UnixSeconds">The second.</param>
/// <param name="Milliseconds">The longest latency in it.</param>
internal readonly record struct LatencySample(long UnixSeconds, long Milliseconds);
