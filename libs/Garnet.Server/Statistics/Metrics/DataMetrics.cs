// Metrics of keys and memory. Stateless; any thread.
using System.Globalization;
using Garnet.Store;

namespace Garnet.Server.Statistics.Metrics;

/// <summary>The store's keys and memory.</summary>
internal static class DataMetrics
{
    private const string Database = "database";

    public static IReadOnlyList<Metric> All { get; } =
    [
        Metric.Of(
            "garnet.keyspace.hits",
            MetricKind.Counter,
            "",
            "Keys that reading commands found.",
            static look => look.Totals.KeyspaceHits
        ),
        Metric.Of(
            "garnet.keyspace.misses",
            MetricKind.Counter,
            "",
            "Keys that reading commands did not find.",
            static look => look.Totals.KeyspaceMisses
        ),
        new("garnet.keys", MetricKind.Gauge, "", "Keys.", static look => ByDatabase(look, look.Sources.Store.Databases.KeyCount)),
        new(
            "garnet.keys.expiring",
            MetricKind.Gauge,
            "",
            "Keys that have an expiry.",
            static look => ByDatabase(look, look.Sources.Store.Databases.ExpiringKeyCount)
        ),
        Metric.Of(
            "garnet.keys.expired",
            MetricKind.Counter,
            "",
            "Keys removed because they expired.",
            static look => look.Store.ExpiredKeys
        ),
        Metric.Of(
            "garnet.keys.evicted",
            MetricKind.Counter,
            "",
            "Keys removed to keep within maxmemory.",
            static look => look.Store.EvictedKeys
        ),
        Metric.Of(
            "garnet.fields.expired",
            MetricKind.Counter,
            "",
            "Fields of hashes removed because they expired.",
            static look => look.Store.ExpiredFields
        ),
        Metric.Of("garnet.changes", MetricKind.Counter, "", "Changes of keys.", static look => look.Store.Changes),
        new(
            "garnet.memory.used",
            MetricKind.Gauge,
            "By",
            "Memory of the data by purpose; the sum is what the store has allocated from the system.",
            static look => Memory(look.Store)
        ),
        Metric.Of(
            "garnet.memory.limit",
            MetricKind.Gauge,
            "By",
            "maxmemory; 0 means no limit.",
            static look => look.Sources.Configuration.Current.MaxMemoryBytes
        ),
        Metric.Of(
            "garnet.memory.peak",
            MetricKind.Gauge,
            "By",
            "Peak memory of the data.",
            static look => look.Sources.Statistics.PeakMemoryBytes
        ),
        Metric.Of("garnet.memory.resident", MetricKind.Gauge, "By", "Memory of the whole process.", static _ => Environment.WorkingSet),
        Metric.Of(
            "garnet.memory.managed",
            MetricKind.Gauge,
            "By",
            "Managed heap of the whole process.",
            static _ => GC.GetTotalMemory(forceFullCollection: false)
        ),
    ];

    private static IEnumerable<MetricSample> ByDatabase(MetricSnapshot look, Func<int, long> count)
    {
        for (int database = 0; database < look.Sources.Store.Databases.Count; database++)
            yield return MetricSample.Of(count(database), Database, database.ToString(CultureInfo.InvariantCulture));
    }

    private static IEnumerable<MetricSample> Memory(StoreStatistics store)
    {
        long left = store.AllocatedBytes;
        foreach (
            (string kind, long bytes) in new[]
            {
                ("index", store.IndexBytes),
                ("records", store.LiveRecordBytes),
                ("dead_records", store.DeadRecordBytes),
                ("blocks", store.BlockBytes),
                ("trees", store.TreeBytes),
            }
        )
        {
            left -= bytes;
            yield return MetricSample.Of(bytes, "kind", kind);
        }

        // Unused space in pages, and tables.
        yield return MetricSample.Of(Math.Max(0, left), "kind", "other");
    }
}
