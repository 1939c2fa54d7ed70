// One entry of the schedule of snapshots. Immutable.
using System.Globalization;

namespace Garnet.Server.Configuration;

/// <summary>
/// A snapshot is due when there were at least <paramref name="Changes"/> changes and the last snapshot was more than
/// <paramref name="Seconds"/> ago.
/// </summary>
public readonly record struct SavePoint(long Seconds, long Changes)
{
    /// <inheritdoc/>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Seconds} {Changes}");
}
