// One deliberate difference from the reference. Immutable; any thread.
namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>A reply that differs on purpose.</summary>
/// <param name="Reason">Why; explains whether the difference can be removed.</param>
/// <param name="Covers">Whether it applies to a reply.</param>
internal sealed record KnownDifference(string Reason, Func<Command, RespNode, RespNode, bool> Covers);
