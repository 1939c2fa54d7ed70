// Metrics of client-side caching. Stateless; any thread.
namespace Garnet.Server.Statistics.Metrics;

/// <summary>Clients that track keys, and what is remembered for them.</summary>
internal static class TrackingMetrics
{
    public static IReadOnlyList<Metric> All { get; } =
    [
        Metric.Of(
            "garnet.tracking.clients",
            MetricKind.Gauge,
            "",
            "Clients with CLIENT TRACKING on.",
            static look => look.Sources.Tracking.ClientCount
        ),
        Metric.Of(
            "garnet.tracking.keys",
            MetricKind.Gauge,
            "",
            "Keys whose readers are remembered, to be notified of changes.",
            static look => look.Sources.Tracking.Keys
        ),
        Metric.Of(
            "garnet.tracking.items",
            MetricKind.Gauge,
            "",
            "Readers remembered, counted once for each key.",
            static look => look.Sources.Tracking.Items
        ),
        Metric.Of(
            "garnet.tracking.prefixes",
            MetricKind.Gauge,
            "",
            "Prefixes of clients that are notified of all keys.",
            static look => look.Sources.Tracking.Prefixes.Count
        ),
        Metric.Of(
            "garnet.tracking.table",
            MetricKind.Gauge,
            "By",
            "Memory of the table of tracked keys, which is part of the store's.",
            static look => look.Sources.Tracking.TableBytes
        ),
    ];
}
