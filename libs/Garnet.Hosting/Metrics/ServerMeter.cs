// A server's metrics as instruments of System.Diagnostics.Metrics, for OpenTelemetry and other listeners. One for a server; observed by any
// thread.
using System.Diagnostics.Metrics;
using Garnet.Server.Basics;
using Garnet.Server.Statistics.Metrics;

namespace Garnet.Hosting.Metrics;

/// <summary>
/// Every instrument is an observable one: it reads counters that are kept anyway, when a listener collects. A histogram, which cannot be
/// observed, is given as three counters, of its buckets (with the bound as <c>le</c>), its sum and its count.
/// </summary>
internal sealed class ServerMeter : IDisposable
{
    /// <summary>Name of the meter, as listeners ask for it.</summary>
    public const string MeterName = "Garnet";

    private readonly MetricReader _metrics;
    private readonly KeyValuePair<string, object?>[] _own;
    private readonly Meter _meter;

    internal ServerMeter(ServerIdentity identity, MetricReader metrics, string name)
    {
        _metrics = metrics;
        // Exporters merge meters with the same name: there, servers are distinguished by a tag of each measurement.
        _own = name.Length == 0 ? [] : [new("garnet.server", name)];
        // Several servers in one process are distinguished by their run ID, as in INFO.
        _meter = new Meter(
            new MeterOptions(MeterName)
            {
                Version = ServerVersion.Current,
                Tags = [new("garnet.run_id", identity.RunId)],
                Scope = identity,
            }
        );
        foreach (Metric metric in metrics.All)
            Add(metric);
    }

    /// <inheritdoc/>
    public void Dispose() => _meter.Dispose();

    private void Add(Metric metric)
    {
        string? unit = metric.Unit.Length == 0 ? null : metric.Unit;
        switch (metric.Kind)
        {
            case MetricKind.Counter:
                _meter.CreateObservableCounter(metric.Name, () => Observe(metric, ""), unit, metric.Help);
                break;
            case MetricKind.Gauge:
                _meter.CreateObservableGauge(metric.Name, () => Observe(metric, ""), unit, metric.Help);
                break;
            default:
                _meter.CreateObservableCounter(metric.Name + ".bucket", () => Observe(metric, "bucket"), null, metric.Help);
                _meter.CreateObservableCounter(metric.Name + ".count", () => Observe(metric, "count"), null, metric.Help);
                _meter.CreateObservableCounter(metric.Name + ".sum", () => Observe(metric, "sum"), unit, metric.Help);
                break;
        }
    }

    private IEnumerable<Measurement<double>> Observe(Metric metric, string part) =>
        from sample in _metrics.Read(metric)
        where sample.Part == part
        select new Measurement<double>(
            sample.Value,
            sample.Labels.Select(static label => new KeyValuePair<string, object?>(label.Key, label.Value)).Concat(_own)
        );
}
