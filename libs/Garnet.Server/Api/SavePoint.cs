// One entry of the schedule of snapshots. Immutable.
using System.Globalization;

namespace Garnet;

/// <summary>A snapshot is due after so many changes when the last snapshot is longer ago than the period.</summary>
public readonly record struct SavePoint
{
    /// <summary>An entry of the schedule.</summary>
    /// <param name="period">How long ago the last snapshot must be; rounded up to seconds.</param>
    /// <param name="changes">How many changes there must be.</param>
    public SavePoint(TimeSpan period, long changes)
        : this((long)Math.Ceiling(period.TotalSeconds), changes) { }

    internal SavePoint(long seconds, long changes)
    {
        Seconds = seconds;
        Changes = changes;
    }

    /// <summary>How long ago the last snapshot must be.</summary>
    public TimeSpan Period => Seconds < (long)TimeSpan.MaxValue.TotalSeconds ? TimeSpan.FromSeconds(Seconds) : TimeSpan.MaxValue;

    /// <summary>How many changes there must be.</summary>
    public long Changes { get; }

    internal long Seconds { get; }

    /// <inheritdoc/>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Seconds} {Changes}");
}
