// Captures what an application logs, for tests. Any thread.
using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Garnet.EndToEnd.Tests.Hosting;

/// <summary>A logger that keeps its lines, each prefixed with its level.</summary>
internal sealed class LogCapture : ILoggerProvider, ILogger
{
    private readonly ConcurrentQueue<string> _lines = [];

    public IReadOnlyCollection<string> Lines => _lines;

    public ILogger CreateLogger(string categoryName) => this;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Information;

    public void Log<TState>(
        LogLevel logLevel,
        EventId eventId,
        TState state,
        Exception? exception,
        Func<TState, Exception?, string> formatter
    ) => _lines.Enqueue($"{logLevel}: {formatter(state, exception)}");

    public void Dispose() { }
}
