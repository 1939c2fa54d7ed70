// Keeps latencies above latency-monitor-threshold by kind of event. Thread-safe by a lock, since they are rare.
namespace Garnet.Server.Logs;

/// <summary>The data of LATENCY LATEST, HISTORY, GRAPH and DOCTOR.</summary>
internal sealed class LatencyMonitor
{
    /// <summary>A command that is not marked as fast.</summary>
    public const string Command = "command";

    /// <summary>A command of constant or logarithmic time: its latency is caused by the system, not the command.</summary>
    public const string FastCommand = "fast-command";

    /// <summary>A search for expired keys, by the maintenance thread: clients only wait for the buckets that it looks at.</summary>
    public const string ExpireCycle = "expire-cycle";

    private readonly Lock _gate = new();
    private readonly SortedDictionary<string, LatencySeries> _series = new(StringComparer.Ordinal);

    /// <summary>Copies of all series with their events.</summary>
    public (string Event, LatencySeries Series)[] All
    {
        get
        {
            lock (_gate)
                return [.. _series.Select(each => (each.Key, each.Value.Copy()))];
        }
    }

    /// <summary>A copy of one event's series, or null.</summary>
    public LatencySeries? Find(string name)
    {
        lock (_gate)
            return _series.GetValueOrDefault(name)?.Copy();
    }

    /// <summary>Removes an event, in any letter case; false when there is none.</summary>
    public bool Reset(string name)
    {
        lock (_gate)
        {
            return _series.Keys.FirstOrDefault(each => each.Equals(name, StringComparison.OrdinalIgnoreCase)) is { } key
                && _series.Remove(key);
        }
    }

    /// <summary>Removes everything; returns the number of events.</summary>
    public int Reset()
    {
        lock (_gate)
        {
            int count = _series.Count;
            _series.Clear();
            return count;
        }
    }

    internal void Add(string name, long unixSeconds, long milliseconds)
    {
        lock (_gate)
        {
            if (!_series.TryGetValue(name, out LatencySeries? found))
                _series.Add(name, found = new LatencySeries());
            found.Add(unixSeconds, milliseconds);
        }
    }
}
