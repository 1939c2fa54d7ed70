// The definition of one metric and the source of its values. Immutable, any thread.
namespace Garnet.Server.Statistics.Metrics;

/// <summary>
/// A metric. Its values are read on demand from counters that the server keeps anyway: executing commands incurs no extra cost.
/// </summary>
/// <param name="Name">In OpenTelemetry's form, such as <c>garnet.keyspace.hits</c>.</param>
/// <param name="Kind">How values behave.</param>
/// <param name="Unit"><c>s</c>, <c>By</c>, or empty for a count.</param>
/// <param name="Help">One sentence.</param>
/// <param name="Read">Reads the values.</param>
internal sealed record Metric(string Name, MetricKind Kind, string Unit, string Help, Func<MetricSnapshot, IEnumerable<MetricSample>> Read)
{
    /// <summary>A metric with one value.</summary>
    public static Metric Of(string name, MetricKind kind, string unit, string help, Func<MetricSnapshot, double> read) =>
        new(name, kind, unit, help, snapshot => [new MetricSample(read(snapshot))]);
}
