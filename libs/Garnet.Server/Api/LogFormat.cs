// Values of log-format. Immutable; any thread.
namespace Garnet;

/// <summary>Formats of the log's lines.</summary>
public enum LogFormat
{
    /// <summary>As Redis and Valkey have always written them: <c>pid:M time * message</c>.</summary>
    Legacy,

    /// <summary>Pairs of key and value: <c>pid=1 role=primary timestamp="..." level=notice message="..."</c>.</summary>
    LogFmt,

    /// <summary>An object of the same fields in each line.</summary>
    Json,
}
