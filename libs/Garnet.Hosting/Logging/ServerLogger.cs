// One category's logger. Any thread.
using Microsoft.Extensions.Logging;

namespace Garnet.Hosting.Logging;

/// <summary>Filters messages by the current <c>loglevel</c>.</summary>
/// <param name="writer">Writes them.</param>
/// <param name="level">The current level.</param>
/// <param name="least">What is left out whatever the level is.</param>
internal sealed class ServerLogger(LogWriter writer, Func<ServerLogLevel> level, LogLevel least = LogLevel.Trace) : ILogger
{
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    // debug takes Trace and up, verbose Debug, notice Information, warning Warning.
    public bool IsEnabled(LogLevel logLevel)
    {
        ServerLogLevel current = level();
        return current != ServerLogLevel.Nothing && logLevel != LogLevel.None && (int)logLevel >= (int)current && logLevel >= least;
    }

    public void Log<TState>(
        LogLevel logLevel,
        EventId eventId,
        TState state,
        Exception? exception,
        Func<TState, Exception?, string> formatter
    )
    {
        if (IsEnabled(logLevel))
            writer.Write(Mark(logLevel), formatter(state, exception), exception);
    }

    private static char Mark(LogLevel level) =>
        level switch
        {
            LogLevel.Trace => '.',
            LogLevel.Debug => '-',
            LogLevel.Information => '*',
            _ => '#',
        };
}
