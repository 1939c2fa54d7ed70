// The options about what is recorded of commands. Stateless; any thread.
namespace Garnet.Server.Configuration;

/// <summary>The rows of <see cref="OptionTable"/> about COMMANDLOG, SLOWLOG and LATENCY.</summary>
internal static class MonitoringOptions
{
    public static OptionDescriptor[] All() =>
        [
            new IntegerOption(
                "commandlog-execution-slower-than",
                static o => o.SlowerThanMicroseconds,
                static (o, v) => o.SlowerThanMicroseconds = v,
                -1,
                long.MaxValue
            )
            {
                Property = nameof(GarnetOptions.SlowLogThreshold),
                Unit = TimeSpan.FromMicroseconds(1),
                Group = OptionGroup.Diagnostics,
                Help = "Commands that take at least this many microseconds enter the slow log; 0 logs all, -1 none.",
                Mutability = Mutability.Runtime,
                Aliases = ["slowlog-log-slower-than"],
            },
            new IntegerOption(
                "commandlog-slow-execution-max-len",
                static o => o.SlowLogMaxLength,
                static (o, v) => o.SlowLogMaxLength = v,
                0,
                long.MaxValue
            )
            {
                Group = OptionGroup.Diagnostics,
                Help = "Entries the slow log keeps.",
                Mutability = Mutability.Runtime,
                Aliases = ["slowlog-max-len"],
            },
            new IntegerOption(
                "commandlog-request-larger-than",
                static o => o.LargeRequestBytes,
                static (o, v) => o.LargeRequestBytes = v,
                -1,
                long.MaxValue
            )
            {
                Group = OptionGroup.Diagnostics,
                Help = "Requests of at least this many bytes enter the log of large requests; 0 logs all, -1 none.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption(
                "commandlog-large-request-max-len",
                static o => o.LargeRequestLogMaxLength,
                static (o, v) => o.LargeRequestLogMaxLength = v,
                0,
                long.MaxValue
            )
            {
                Group = OptionGroup.Diagnostics,
                Help = "Entries the log of large requests keeps.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption(
                "commandlog-reply-larger-than",
                static o => o.LargeReplyBytes,
                static (o, v) => o.LargeReplyBytes = v,
                -1,
                long.MaxValue
            )
            {
                Group = OptionGroup.Diagnostics,
                Help = "Commands whose reply has at least this many bytes enter the log of large replies; 0 logs all, -1 none.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption(
                "commandlog-large-reply-max-len",
                static o => o.LargeReplyLogMaxLength,
                static (o, v) => o.LargeReplyLogMaxLength = v,
                0,
                long.MaxValue
            )
            {
                Group = OptionGroup.Diagnostics,
                Help = "Entries the log of large replies keeps.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption(
                "latency-monitor-threshold",
                static o => o.LatencyMonitorThresholdMs,
                static (o, v) => o.LatencyMonitorThresholdMs = v,
                0,
                long.MaxValue
            )
            {
                Property = nameof(GarnetOptions.LatencyMonitorThreshold),
                Unit = TimeSpan.FromMilliseconds(1),
                Group = OptionGroup.Diagnostics,
                Help = "Commands that take at least this many milliseconds are recorded for LATENCY; 0 records none.",
                Mutability = Mutability.Runtime,
            },
            new BooleanOption("latency-tracking", static o => o.LatencyTracking, static (o, v) => o.LatencyTracking = v)
            {
                Group = OptionGroup.Diagnostics,
                Help = "Record the latencies of each command's calls, for LATENCY HISTOGRAM and INFO latencystats.",
                Mutability = Mutability.Runtime,
            },
            new PercentilesOption(
                "latency-tracking-info-percentiles",
                static o => o.LatencyTrackingInfoPercentiles,
                static (o, v) => o.LatencyTrackingInfoPercentiles = v
            )
            {
                Group = OptionGroup.Diagnostics,
                Help = "Percentiles shown by INFO latencystats.",
                Mutability = Mutability.Runtime,
            },
        ];
}
