// The time that a command that replies in pieces has taken so far. Belongs to the connection's thread.

namespace Garnet.Engine.Execution;

/// <summary>The pieces together are one call: it is known how long it took when the last one is written.</summary>
/// <param name="Command">The command.</param>
/// <param name="Logged">What the slow log would keep; null when nothing may be kept of it.</param>
internal sealed record PieceTime(Command Command, LoggedCommand? Logged)
{
    /// <summary>Stopwatch ticks spent so far.</summary>
    public long Ticks { get; set; }
}
