// Captures what a server logs, for tests. Any thread.
using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Garnet.EndToEnd.Tests.Tls;

internal sealed class RecordingLoggers : ILoggerFactory, ILogger
{
    private readonly ConcurrentQueue<string> _lines = new();

    public string[] Lines => [.. _lines];

    public ILogger CreateLogger(string categoryName) => this;

    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Information;

    public void Log<TState>(
        LogLevel logLevel,
        EventId eventId,
        TState state,
        Exception? exception,
        Func<TState, Exception?, string> formatter
    )
    {
        if (IsEnabled(logLevel))
            _lines.Enqueue(formatter(state, exception));
    }

    public void Dispose() { }
}
