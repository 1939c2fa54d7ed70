// The log levels with Valkey's names, least important first. Immutable, any thread.
namespace Garnet;

/// <summary>Importance of a log message.</summary>
public enum ServerLogLevel
{
    /// <summary>For developers.</summary>
    Debug,

    /// <summary>Detailed messages that are seldom useful.</summary>
    Verbose,

    /// <summary>Messages of interest to an operator.</summary>
    Notice,

    /// <summary>Only messages that need attention.</summary>
    Warning,

    /// <summary>No message at all.</summary>
    Nothing,
}
