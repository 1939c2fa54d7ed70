// The counters behind all metrics, summed once. Immutable once created; values inside the server keep changing.
using Garnet.Store;

namespace Garnet.Server.Statistics.Metrics;

/// <summary>A snapshot of a server's counters.</summary>
internal sealed class MetricSnapshot
{
    /// <summary>Takes the snapshot.</summary>
    public MetricSnapshot(MetricSources sources)
    {
        Sources = sources;
        Totals = new CounterTotals(sources.Commands, sources.Threads);
    }

    /// <summary>The parts of the server.</summary>
    public MetricSources Sources { get; }

    /// <summary>The store's counters.</summary>
    public StoreStatistics Store => Sources.Store.Statistics;

    internal CounterTotals Totals { get; }
}
