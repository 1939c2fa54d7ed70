// Values of log-timestamp-format. Immutable; any thread.
namespace Garnet;

/// <summary>Formats of times in the log.</summary>
public enum LogTimestampFormat
{
    /// <summary><c>21 Nov 2026 11:30:12.345</c>, local time.</summary>
    Legacy,

    /// <summary><c>2026-11-21T11:30:12.345+01:00</c>, local time.</summary>
    Iso8601,

    /// <summary>Milliseconds since 1970.</summary>
    Milliseconds,
}
