// One measured request with the reply it got. Immutable.
namespace Garnet.Attack.Tests.Generator;

/// <summary>What a request cost everybody else.</summary>
/// <param name="Cost">The cost, request and reply left out of its memory.</param>
/// <param name="Reply">The beginning of the reply.</param>
internal sealed record MeasuredRequest(AttackCost Cost, string Reply);
