// The log as it is at one moment. Immutable.
using Garnet.Persistence.AppendLog;

namespace Garnet.Server.Persistence;

/// <summary>A state, and what belongs to it.</summary>
/// <param name="State">The state.</param>
/// <param name="Log">The open log; null in the first three states.</param>
/// <param name="Unopened">The log that the disk has no space for; only in its state.</param>
/// <param name="DeniedUntilBase">Why writes are denied until a base is written: the system's message. Null when they are not.</param>
internal sealed record LogCondition(
    AppendOnlyState State,
    AppendOnlyLog? Log = null,
    UnopenedLog? Unopened = null,
    string? DeniedUntilBase = null
)
{
    /// <summary>Nothing is logged.</summary>
    public static LogCondition Off { get; } = new(AppendOnlyState.Off);
}
