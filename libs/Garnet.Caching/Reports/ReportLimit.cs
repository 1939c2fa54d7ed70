// Keeps a log from being flooded by one kind of report. Thread-safe.
namespace Garnet.Caching.Reports;

/// <summary>Lets the first report pass, and then one a minute; counts what is reported.</summary>
internal sealed class ReportLimit(TimeProvider time)
{
    private static readonly TimeSpan Interval = TimeSpan.FromMinutes(1);

    private readonly Lock _gate = new();
    private long _unreported;
    private long? _reportedAt;

    /// <summary>Whether what has happened is to be reported now.</summary>
    /// <param name="count">How often it has happened since the last report.</param>
    public bool IsDue(out long count)
    {
        lock (_gate)
        {
            count = ++_unreported;
            if (_reportedAt is { } at && time.GetElapsedTime(at) < Interval)
                return false;
            (_unreported, _reportedAt) = (0, time.GetTimestamp());
            return true;
        }
    }
}
