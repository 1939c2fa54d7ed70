// Reads a server's metrics. Any thread; one reads at a time, and none once the server is being disposed.
using System.Diagnostics;
using Garnet.Server.Statistics.Metrics;

namespace Garnet.Hosting.Metrics;

/// <summary>The metrics of one server with the latest look at its counters.</summary>
internal sealed class MetricReader(MetricSources sources, IReadOnlyList<Metric> metrics)
{
    // A collection reads one instrument after the other, and of a histogram several; they share one look, and what was read by it.
    private static readonly long FreshTicks = Stopwatch.Frequency / 4;

    private readonly Lock _gate = new();
    private readonly Dictionary<Metric, MetricSample[]> _samples = [];
    private MetricSnapshot? _look;
    private long _lookedAt;
    private bool _isClosed;

    /// <summary>What can be measured.</summary>
    public IReadOnlyList<Metric> All => metrics;

    /// <summary>The values of one metric, at most a quarter of a second old.</summary>
    public MetricSample[] Read(Metric metric)
    {
        lock (_gate)
        {
            if (_isClosed)
                return [];
            long now = Stopwatch.GetTimestamp();
            if (_look is null || now - _lookedAt > FreshTicks)
            {
                (_look, _lookedAt) = (new MetricSnapshot(sources), now);
                _samples.Clear();
            }

            if (!_samples.TryGetValue(metric, out MetricSample[]? samples))
                _samples.Add(metric, samples = [.. metric.Read(_look)]);
            return samples;
        }
    }

    /// <summary>All metrics with their current values.</summary>
    public IReadOnlyList<(Metric Metric, MetricSample[] Samples)> ReadAll()
    {
        lock (_gate)
        {
            if (_isClosed)
                return [];
            var look = new MetricSnapshot(sources);
            return [.. metrics.Select(metric => (metric, metric.Read(look).ToArray()))];
        }
    }

    /// <summary>Stops reading, and waits for a read in progress.</summary>
    public void Close()
    {
        lock (_gate)
            _isClosed = true;
    }
}
