// Metrics of loading, checkpoints and the append-only log. Stateless; any thread.
using Garnet.Server.Persistence;

namespace Garnet.Server.Statistics.Metrics;

/// <summary>The state of saving and logging.</summary>
internal static class PersistenceMetrics
{
    public static IReadOnlyList<Metric> All { get; } =
    [
        Metric.Of(
            "garnet.loading",
            MetricKind.Gauge,
            "",
            "1 while data is loaded.",
            static look => Flag(look.Sources.Persistence.IsLoading)
        ),
        Metric.Of(
            "garnet.checkpoint.running",
            MetricKind.Gauge,
            "",
            "1 while a snapshot is saved.",
            static look => Flag(Keeper(look).Progress is not null)
        ),
        Metric.Of("garnet.checkpoint.saves", MetricKind.Counter, "", "Snapshots begun.", static look => Keeper(look).Saves),
        Metric.Of("garnet.checkpoint.failures", MetricKind.Counter, "", "Snapshots that failed.", static look => Keeper(look).Failures),
        Metric.Of(
            "garnet.checkpoint.failing",
            MetricKind.Gauge,
            "",
            "1 when the last snapshot failed.",
            static look => Flag(Keeper(look).HasFailed)
        ),
        Metric.Of(
            "garnet.checkpoint.last.success",
            MetricKind.Gauge,
            "s",
            "Unix time of the last successful snapshot, initially of the start.",
            static look => Keeper(look).LastSaveSeconds
        ),
        Metric.Of(
            "garnet.checkpoint.last.duration",
            MetricKind.Gauge,
            "s",
            "Duration of the last snapshot; 0 before the first.",
            static look => Keeper(look).LastOutcome?.Duration.TotalSeconds ?? 0
        ),
        Metric.Of(
            "garnet.checkpoint.last.size",
            MetricKind.Gauge,
            "By",
            "Size of the last snapshot; 0 before the first.",
            static look => Keeper(look).LastOutcome?.Bytes ?? 0
        ),
        Metric.Of(
            "garnet.checkpoint.unsaved.changes",
            MetricKind.Gauge,
            "",
            "Changes of keys since the last snapshot.",
            static look => Keeper(look).UnsavedChanges
        ),
        Metric.Of(
            "garnet.aof.enabled",
            MetricKind.Gauge,
            "",
            "1 while writes are logged.",
            static look => Flag(look.Sources.Persistence.AppendOnly.Log is not null)
        ),
        Metric.Of(
            "garnet.aof.failing",
            MetricKind.Gauge,
            "",
            "1 while the log cannot be written.",
            static look => Flag(look.Sources.Persistence.AppendOnly.WriteProblem is not null)
        ),
        Metric.Of(
            "garnet.aof.size",
            MetricKind.Gauge,
            "By",
            "Size of the log and its snapshot.",
            static look => look.Sources.Persistence.AppendOnly.CurrentBytes
        ),
        Metric.Of(
            "garnet.aof.delayed.syncs",
            MetricKind.Counter,
            "",
            "Number of times that writers waited for the disk.",
            static look => look.Sources.Persistence.AppendOnly.Log?.DelayedSyncs ?? 0
        ),
        Metric.Of(
            "garnet.aof.rewrites",
            MetricKind.Counter,
            "",
            "Rewrites of the log.",
            static look => look.Sources.Persistence.AppendOnly.Rewrites.Count
        ),
        Metric.Of(
            "garnet.aof.rewrite.running",
            MetricKind.Gauge,
            "",
            "1 while the log is rewritten.",
            static look => Flag(look.Sources.Persistence.AppendOnly.IsRewriting)
        ),
    ];

    private static SnapshotKeeper Keeper(MetricSnapshot look) => look.Sources.Persistence.Snapshots;

    private static double Flag(bool isSet) => isSet ? 1 : 0;
}
