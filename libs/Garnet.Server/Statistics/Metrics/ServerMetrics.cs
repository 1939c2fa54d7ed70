// The list of the server's metrics. Immutable; any thread.
using Garnet.Server.Basics;

namespace Garnet.Server.Statistics.Metrics;

/// <summary>All metrics of the server itself; a host adds those of its transport.</summary>
internal static class ServerMetrics
{
    /// <summary>All metrics, in the order of the page.</summary>
    public static IReadOnlyList<Metric> All { get; } =
    [
        Metric.Of(
            "garnet.uptime",
            MetricKind.Gauge,
            "s",
            "Seconds since the start.",
            static look => (look.Sources.Clock.NowMs - look.Sources.Clock.StartedMs) / 1000.0
        ),
        new(
            "garnet.build.info",
            MetricKind.Gauge,
            "",
            "1, with the version as a label.",
            static _ => [MetricSample.Of(1, "version", ServerVersion.Current)]
        ),
        .. CommandMetrics.All,
        .. DataMetrics.All,
        .. TierMetrics.All,
        .. ClientMetrics.All,
        .. ModuleMetrics.All,
        .. MessageMetrics.All,
        .. TrackingMetrics.All,
        .. PersistenceMetrics.All,
        .. ReplicationMetrics.All,
    ];
}
