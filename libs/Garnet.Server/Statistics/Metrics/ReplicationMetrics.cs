// Metrics of primaries and replicas. Stateless; any thread.
using Garnet.Server.Replication;

namespace Garnet.Server.Statistics.Metrics;

/// <summary>How far replicas are; the metrics of the link to the primary have a value on replicas only.</summary>
internal static class ReplicationMetrics
{
    public static IReadOnlyList<Metric> All { get; } =
    [
        Metric.Of(
            "garnet.replication.replicas",
            MetricKind.Gauge,
            "",
            "Replicas that receive the stream.",
            static look => look.Sources.Replication.Replicas.OnlineCount
        ),
        Metric.Of(
            "garnet.replication.position",
            MetricKind.Gauge,
            "By",
            "Position in the stream of changes.",
            static look => look.Sources.Replication.Effects.Stream.Position
        ),
        OfReplica(
            "garnet.replication.link.up",
            "",
            "1 while a replica is connected to its primary and synchronized.",
            static (primary, _) => primary.State == PrimaryLinkState.Connected ? 1 : 0
        ),
        OfReplica(
            "garnet.replication.lag",
            "s",
            "Age of a replica's data: time since everything received from the primary was applied; -1 before the first synchronization.",
            static (primary, nowMs) => primary.LagMs(nowMs) is >= 0 and long lag ? lag / 1000.0 : -1
        ),
    ];

    private static Metric OfReplica(string name, string unit, string help, Func<PrimaryLink, long, double> read) =>
        new(
            name,
            MetricKind.Gauge,
            unit,
            help,
            look => look.Sources.Replication.Primary is { } primary ? [new MetricSample(read(primary, look.Sources.Clock.SteadyMs))] : []
        );
}
