// Keeps the latest lines of the log for the dashboard. Any thread.
using System.Globalization;
using Garnet.Hosting.Logging;
using Microsoft.Extensions.Logging;

namespace Garnet.Hosting.Dashboard;

/// <summary>Passes messages on to the loggers of another factory, and keeps those of level Information and above once it is switched on.</summary>
internal sealed class LogTail(ILoggerFactory inner, TimeProvider time) : ILoggerFactory
{
    private const int MaxLines = 200;
    private const int MaxLineLength = 500;

    private readonly Lock _gate = new();
    private readonly Queue<string> _lines = new();
    private volatile bool _isOn;

    /// <summary>The lines that are kept, the oldest first.</summary>
    public IReadOnlyList<string> Lines
    {
        get
        {
            lock (_gate)
                return [.. _lines];
        }
    }

    /// <summary>Keeps lines from now on.</summary>
    public void SwitchOn() => _isOn = true;

    /// <inheritdoc/>
    public ILogger CreateLogger(string categoryName) => new Logger(this, inner.CreateLogger(categoryName));

    /// <inheritdoc/>
    public void AddProvider(ILoggerProvider provider) => inner.AddProvider(provider);

    /// <inheritdoc/>
    public void Dispose()
    {
        // The other factory is its owner's.
    }

    private void Keep(LogLevel level, string message)
    {
        string when = time.GetUtcNow().ToString("yyyy-MM-dd HH:mm:ss'Z'", CultureInfo.InvariantCulture);
        string line = $"{when} {(level >= LogLevel.Warning ? "warning" : "notice")} {LogLine.OneLine(message)}";
        lock (_gate)
        {
            if (_lines.Count == MaxLines)
                _lines.Dequeue();
            _lines.Enqueue(line.Length <= MaxLineLength ? line : line[..MaxLineLength] + "…");
        }
    }

    private sealed class Logger(LogTail tail, ILogger inner) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => inner.BeginScope(state);

        public bool IsEnabled(LogLevel logLevel) => inner.IsEnabled(logLevel) || IsKept(logLevel);

        public void Log<TState>(
            LogLevel logLevel,
            EventId eventId,
            TState state,
            Exception? exception,
            Func<TState, Exception?, string> formatter
        )
        {
            if (IsKept(logLevel))
                tail.Keep(logLevel, exception is null ? formatter(state, null) : $"{formatter(state, null)} {exception.Message}");
            inner.Log(logLevel, eventId, state, exception, formatter);
        }

        private bool IsKept(LogLevel level) => tail._isOn && level is >= LogLevel.Information and < LogLevel.None;
    }
}
