// What a history gave through one origin. Immutable.
namespace Garnet.EndToEnd.Tests.Differential.Origins;

/// <summary>Everything that must be equal.</summary>
/// <param name="Replies">One for each command.</param>
/// <param name="Effects">What was written for replicas and the log.</param>
/// <param name="Data">A line for each key.</param>
internal sealed record OriginRun(RespNode[] Replies, string Effects, List<string> Data);
