// One deliberate difference from the reference. Immutable; any thread.
namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>A reply that differs on purpose.</summary>
/// <param name="Reason">Why; written for whoever asks whether it should go.</param>
/// <param name="Covers">True for the replies it is about.</param>
internal sealed record KnownDifference(string Reason, Func<Command, RespNode, RespNode, bool> Covers);
