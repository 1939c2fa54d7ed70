// The data of one kind of latency event. Guarded by its owner.
namespace Garnet.Server.Logs;

/// <summary>The newest samples, at most one per second, and totals since the last reset.</summary>
internal sealed class LatencySeries
{
    /// <summary>Maximum number of samples.</summary>
    public const int MaxSamples = 160;

    private readonly Queue<LatencySample> _samples = new();

    /// <summary>The last sample.</summary>
    public LatencySample Latest { get; private set; }

    /// <summary>Milliseconds of the worst event.</summary>
    public long WorstMs { get; private set; }

    /// <summary>Milliseconds of all events together.</summary>
    public long TotalMs { get; private set; }

    /// <summary>Number of events.</summary>
    public long Count { get; private set; }

    /// <summary>The samples, oldest first.</summary>
    public LatencySample[] Samples => [.. _samples, Latest];

    internal void Add(long unixSeconds, long milliseconds)
    {
        WorstMs = Math.Max(WorstMs, milliseconds);
        TotalMs += milliseconds;
        if (Count++ != 0 && Latest.UnixSeconds == unixSeconds)
        {
            Latest = new LatencySample(unixSeconds, Math.Max(Latest.Milliseconds, milliseconds));
            return;
        }

        if (Count > 1)
            _samples.Enqueue(Latest);
        if (_samples.Count == MaxSamples)
            _samples.Dequeue();
        Latest = new LatencySample(unixSeconds, milliseconds);
    }

    internal LatencySeries Copy()
    {
        var copy = new LatencySeries
        {
            Latest = Latest,
            WorstMs = WorstMs,
            TotalMs = TotalMs,
            Count = Count,
        };
        foreach (LatencySample sample in _samples)
            copy._samples.Enqueue(sample);
        return copy;
    }
}
