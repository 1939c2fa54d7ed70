// The counters behind all metrics, summed once. Immutable once created; values inside the server keep changing.
using Garnet.Server.Sessions;
using Garnet.Store;

namespace Garnet.Server.Statistics.Metrics;

/// <summary>A snapshot of a server's counters.</summary>
internal sealed class MetricSnapshot
{
    /// <summary>Takes the snapshot.</summary>
    public MetricSnapshot(RespServer server)
    {
        Server = server;
        Totals = new CounterTotals(server);
    }

    /// <summary>The server.</summary>
    public RespServer Server { get; }

    /// <summary>The store's counters.</summary>
    public StoreStatistics Store => Server.Store.Statistics;

    internal CounterTotals Totals { get; }
}
