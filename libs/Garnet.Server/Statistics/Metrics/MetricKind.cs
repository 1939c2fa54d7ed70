// The kinds of metrics. Immutable, any thread.
namespace Garnet.Server.Statistics.Metrics;

/// <summary>How the values of a metric behave.</summary>
internal enum MetricKind
{
    /// <summary>Only increases, until the statistics are reset.</summary>
    Counter,

    /// <summary>Increases and decreases.</summary>
    Gauge,

    /// <summary>Counts of values up to each bound, with the total count and sum.</summary>
    Histogram,
}
