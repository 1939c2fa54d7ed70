// Names the log levels as Valkey spells them, least important first. Immutable, any thread.
namespace Garnet.Server.Configuration;

/// <summary>Importance of a log message.</summary>
public enum ServerLogLevel
{
    /// <summary>For developers.</summary>
    Debug,

    /// <summary>Much that is seldom useful.</summary>
    Verbose,

    /// <summary>What an operator wants to see.</summary>
    Notice,

    /// <summary>Only what needs attention.</summary>
    Warning,

    /// <summary>No message at all.</summary>
    Nothing,
}
