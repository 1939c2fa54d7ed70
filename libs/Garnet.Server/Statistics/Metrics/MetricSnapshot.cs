// The counters that metrics are read from, summed once for all of them. Immutable once made; values inside the server go on changing.
using Garnet.Server.Sessions;
using Garnet.Store;

namespace Garnet.Server.Statistics.Metrics;

/// <summary>One look at a server's counters.</summary>
public sealed class MetricSnapshot
{
    /// <summary>Looks.</summary>
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
