// The settings of a server about what it logs of commands; see GarnetOptions.cs.
namespace Garnet;

public sealed partial class GarnetOptions
{
    /// <summary>
    /// Commands that take at least this long enter the slow log (commandlog-execution-slower-than), rounded up to microseconds; zero logs
    /// all, null none.
    /// </summary>
    public TimeSpan? SlowLogThreshold
    {
        get => SlowerThanMicroseconds < 0 ? null : Span(SlowerThanMicroseconds, TimeSpan.TicksPerMicrosecond);
        set => SlowerThanMicroseconds = value is { } time ? Units(time, TimeSpan.TicksPerMicrosecond, long.MaxValue) : -1;
    }

    internal long SlowerThanMicroseconds { get; set; } = 10_000;

    /// <summary>Maximum number of entries in the slow log.</summary>
    public long SlowLogMaxLength { get; set; } = 128;

    /// <summary>Requests of at least this many bytes are logged; 0 logs all, -1 none.</summary>
    public long LargeRequestBytes { get; set; } = 1L << 20;

    /// <summary>Maximum number of entries in the log of large requests.</summary>
    public long LargeRequestLogMaxLength { get; set; } = 128;

    /// <summary>Commands with a reply of at least this many bytes are logged; 0 logs all, -1 none.</summary>
    public long LargeReplyBytes { get; set; } = 1L << 20;

    /// <summary>Maximum number of entries in the log of large replies.</summary>
    public long LargeReplyLogMaxLength { get; set; } = 128;

    /// <summary>Commands that take at least this long are latency events, rounded up to milliseconds; zero records none.</summary>
    public TimeSpan LatencyMonitorThreshold
    {
        get => Span(LatencyMonitorThresholdMs, TimeSpan.TicksPerMillisecond);
        set => LatencyMonitorThresholdMs = Units(value, TimeSpan.TicksPerMillisecond, long.MaxValue);
    }

    internal long LatencyMonitorThresholdMs { get; set; }

    /// <summary>How long a script may run before others get BUSY and SCRIPT KILL can end it; with zero, they wait.</summary>
    public TimeSpan BusyReplyThreshold
    {
        get => Span(BusyReplyThresholdMs, TimeSpan.TicksPerMillisecond);
        set => BusyReplyThresholdMs = Units(value, TimeSpan.TicksPerMillisecond, long.MaxValue);
    }

    /// <summary>Records the latencies of each command's calls.</summary>
    public bool LatencyTracking { get; set; } = true;

    /// <summary>The percentiles of each command's latency shown by INFO.</summary>
    public IReadOnlyList<double> LatencyTrackingInfoPercentiles { get; set; } = [50, 99, 99.9];
}
