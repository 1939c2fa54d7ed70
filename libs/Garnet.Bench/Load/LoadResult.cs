// What one measurement found. Immutable.
namespace Garnet.Bench.Load;

/// <summary>Results of all threads together.</summary>
internal sealed class LoadResult
{
    /// <summary>By the commands of the workload.</summary>
    public required IReadOnlyList<CommandResult> Commands { get; init; }

    /// <summary>From the beginning of the measurement to its last reply.</summary>
    public required TimeSpan Elapsed { get; init; }

    /// <summary>Bytes received.</summary>
    public required long BytesIn { get; init; }

    /// <summary>Bytes sent.</summary>
    public required long BytesOut { get; init; }

    /// <summary>Requests of an open loop that were due and never sent.</summary>
    public required long Unsent { get; init; }

    /// <summary>The server's processor time for a request in microseconds, or null when it is not known.</summary>
    public required double? ServerUsPerRequest { get; init; }

    /// <summary>The load generator's own processor time for a request in microseconds.</summary>
    public required double OwnUsPerRequest { get; init; }

    /// <summary>Which part of the threads' time was processor time, from 0 to 1.</summary>
    public required double OwnLoad { get; init; }

    /// <summary>Replies to measured requests.</summary>
    public long Requests => Commands.Sum(static command => command.Latencies.TotalCount);

    /// <summary>Replies that were errors.</summary>
    public long Errors => Commands.Sum(static command => command.Errors);

    /// <summary>Replies that were not the value of their key.</summary>
    public long WrongValues => Commands.Sum(static command => command.WrongValues);

    /// <summary>Replies a second.</summary>
    public double Rate => Elapsed > TimeSpan.Zero ? Requests / Elapsed.TotalSeconds : 0;
}
