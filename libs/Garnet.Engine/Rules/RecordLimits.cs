// From when on commands are recorded. Immutable.
namespace Garnet.Engine.Rules;

/// <summary>The limits of the logs of commands; <see cref="long.MaxValue"/> where nothing is recorded.</summary>
/// <param name="SlowTicks">Stopwatch ticks from which a command is recorded.</param>
/// <param name="RequestBytes">Size from which a request is large.</param>
/// <param name="ReplyBytes">Size from which a reply is large.</param>
/// <param name="TracksLatency">Whether the time of every call is counted in its command's histogram.</param>
internal sealed record RecordLimits(long SlowTicks, long RequestBytes, long ReplyBytes, bool TracksLatency)
{
    /// <summary>Nothing is recorded.</summary>
    public static readonly RecordLimits None = new(long.MaxValue, long.MaxValue, long.MaxValue, TracksLatency: false);
}
