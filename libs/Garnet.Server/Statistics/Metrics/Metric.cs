// What one metric is and where its values come from. Immutable, any thread.
namespace Garnet.Server.Statistics.Metrics;

/// <summary>
/// A metric. Its values are read from counters that the server keeps anyway, when somebody asks: executing commands pays nothing for it.
/// </summary>
/// <param name="Name">In the form of OpenTelemetry, such as <c>garnet.keyspace.hits</c>.</param>
/// <param name="Kind">How values behave.</param>
/// <param name="Unit"><c>s</c>, <c>By</c>, or empty for a number of things.</param>
/// <param name="Help">One sentence.</param>
/// <param name="Read">Reads the values.</param>
public sealed record Metric(string Name, MetricKind Kind, string Unit, string Help, Func<MetricSnapshot, IEnumerable<MetricSample>> Read)
{
    /// <summary>A metric of one value.</summary>
    public static Metric Of(string name, MetricKind kind, string unit, string help, Func<MetricSnapshot, double> read) =>
        new(name, kind, unit, help, snapshot => [new MetricSample(read(snapshot))]);
}
