// Names the kinds of metrics. Immutable, any thread.
namespace Garnet.Server.Statistics.Metrics;

/// <summary>How the values of a metric behave.</summary>
public enum MetricKind
{
    /// <summary>They only grow, until the statistics are reset.</summary>
    Counter,

    /// <summary>They go up and down.</summary>
    Gauge,

    /// <summary>Counts of what took no longer than a bound, with their number and sum.</summary>
    Histogram,
}
