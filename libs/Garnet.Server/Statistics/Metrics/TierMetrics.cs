// Metrics of values on disk. Stateless; any thread.
using Garnet.Store.Tiering;

namespace Garnet.Server.Statistics.Metrics;

/// <summary>The figures of INFO tier; all 0 without maxdisk.</summary>
internal static class TierMetrics
{
    private static readonly TierStatistics Nothing = new();

    public static IReadOnlyList<Metric> All { get; } =
    [
        Of("garnet.tier.enabled", MetricKind.Gauge, "", "1 with maxdisk: values that are not used move to disk.", static _ => 1),
        Of(
            "garnet.tier.failing",
            MetricKind.Gauge,
            "",
            "1 while writes fail, so that no values move.",
            static tier => Flag(tier.IsFailing)
        ),
        Of("garnet.tier.full", MetricKind.Gauge, "", "1 while values in use fill the disk.", static tier => Flag(tier.Segments.IsFull)),
        Metric.Of("garnet.tier.limit", MetricKind.Gauge, "By", "maxdisk.", static look => look.Sources.Configuration.Current.MaxDiskBytes),
        Of("garnet.tier.used", MetricKind.Gauge, "By", "Used space on disk.", static tier => tier.Segments.UsedBytes),
        Of("garnet.tier.live", MetricKind.Gauge, "By", "The part of it that holds values in use.", static tier => tier.Segments.LiveBytes),
        Of("garnet.tier.memory", MetricKind.Gauge, "By", "Memory of buffers for writes and reads.", static tier => tier.BufferBytes),
        Of("garnet.tier.keys", MetricKind.Gauge, "", "Keys whose values are on disk.", static tier => tier.Statistics.ColdKeys),
        new(
            "garnet.tier.moves",
            MetricKind.Counter,
            "",
            "Values that moved to disk (out) and back (in), and those that were used meanwhile and stayed (kept).",
            static look =>
                [
                    MetricSample.Of(Done(look).MovedOut, "direction", "out"),
                    MetricSample.Of(Done(look).MovedIn, "direction", "in"),
                    MetricSample.Of(Done(look).KeptInMemory, "direction", "kept"),
                ]
        ),
        Of(
            "garnet.tier.deleted",
            MetricKind.Counter,
            "",
            "Keys deleted because the disk was full.",
            static tier => tier.Statistics.Deleted
        ),
        Of("garnet.tier.reads", MetricKind.Counter, "", "Values read from disk.", static tier => tier.Statistics.Reads),
        Of("garnet.tier.reads.waiting", MetricKind.Gauge, "", "Reads that the disk has not answered.", static tier => tier.Loads.Running),
        Of(
            "garnet.tier.reads.alone",
            MetricKind.Counter,
            "",
            "Reads for which all clients waited, because a command had not declared its keys.",
            static tier => tier.Statistics.ReadsUnderBarrier
        ),
        new(
            "garnet.tier.errors",
            MetricKind.Counter,
            "",
            "Reads and writes that failed.",
            static look =>
                [MetricSample.Of(Done(look).ReadErrors, "kind", "read"), MetricSample.Of(Done(look).WriteErrors, "kind", "write")]
        ),
        Of(
            "garnet.tier.last.error",
            MetricKind.Gauge,
            "",
            "Number of the last error; 0 when there was none.",
            static tier => tier.Statistics.LastError
        ),
        Of("garnet.tier.written", MetricKind.Counter, "By", "Bytes written to disk.", static tier => tier.Statistics.WrittenBytes),
        Of(
            "garnet.tier.left",
            MetricKind.Counter,
            "By",
            "The part of them that left memory; the rest was moved on disk.",
            static tier => tier.Statistics.PayloadBytes
        ),
    ];

    private static Metric Of(string name, MetricKind kind, string unit, string help, Func<ColdTier, double> read) =>
        Metric.Of(name, kind, unit, help, look => look.Sources.Store.Tier is { } tier ? read(tier) : 0);

    private static TierStatistics Done(MetricSnapshot look) => look.Sources.Store.Tier?.Statistics ?? Nothing;

    private static double Flag(bool isSet) => isSet ? 1 : 0;
}
