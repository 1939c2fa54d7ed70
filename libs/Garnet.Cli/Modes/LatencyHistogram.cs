// Round trips by their length. One thread.
using System.Globalization;
using HdrHistogram;

namespace Garnet.Cli.Modes;

/// <summary>Times in microseconds; percentiles have three significant digits, the other figures all.</summary>
internal sealed class LatencyHistogram
{
    private const long MaxMicroseconds = 24L * 3600 * 1_000_000;
    private const int SignificantDigits = 3;

    private readonly LongHistogram _times = new(MaxMicroseconds, SignificantDigits);

    /// <summary>The number of times.</summary>
    public long Count => _times.TotalCount;

    /// <summary>The shortest.</summary>
    public long Min { get; private set; }

    /// <summary>The longest.</summary>
    public long Max { get; private set; }

    /// <summary>The sum of all.</summary>
    public long Sum { get; private set; }

    /// <summary>Adds a time.</summary>
    public void Add(long microseconds)
    {
        Min = Count == 0 ? microseconds : Math.Min(Min, microseconds);
        Max = Math.Max(Max, microseconds);
        Sum += microseconds;
        _times.RecordValue(Math.Clamp(microseconds, 0, MaxMicroseconds));
    }

    /// <summary>Forgets all.</summary>
    public void Clear()
    {
        _times.Reset();
        (Min, Max, Sum) = (0, 0, 0);
    }

    /// <summary>The usual percentiles, for people.</summary>
    public string Summary =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"p50 {Milliseconds(50)}, p90 {Milliseconds(90)}, p99 {Milliseconds(99)}, p99.9 {Milliseconds(99.9)}, max {Max / 1000.0:F3} ms"
        );

    private string Milliseconds(double percentile) =>
        (Math.Min(_times.GetValueAtPercentile(percentile), Max) / 1000.0).ToString("F3", CultureInfo.InvariantCulture);
}
