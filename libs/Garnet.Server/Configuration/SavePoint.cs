// One entry of the schedule of snapshots. Immutable.
using System.Globalization;

namespace Garnet.Server.Configuration;

/// <summary>A snapshot is due when so many changes were made and the last one is longer ago than so many seconds.</summary>
public readonly record struct SavePoint(long Seconds, long Changes)
{
    /// <inheritdoc/>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Seconds} {Changes}");
}
