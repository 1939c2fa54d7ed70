// Keeps the latest lines of the log for the dashboard. Any thread.
using System.Globalization;
using Garnet.Hosting.Logging;
using Microsoft.Extensions.Logging;

namespace Garnet.Hosting.Dashboard;

/// <summary>
/// Passes messages on to the loggers of another factory, and keeps those of level Information and above once it is switched on. Whoever
/// logs waits for nobody, and is told of no error of the keeping.
/// </summary>
internal sealed class LogTail(ILoggerFactory inner, TimeProvider time) : ILoggerFactory
{
    private const int MaxLines = 200;
    private const int MaxLineLength = 500;

    private readonly Line?[] _ring = new Line?[MaxLines];
    private long _count;
    private volatile bool _isOn;

    /// <summary>The lines that are kept, the oldest first.</summary>
    public IReadOnlyList<string> Lines =>
        [
            .. Enumerable
                .Range(0, MaxLines)
                .Select(i => Volatile.Read(ref _ring[i]))
                .OfType<Line>()
                .OrderBy(static line => line.Number)
                .Select(static line => line.Text),
        ];

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
        // Cut first: escapes make a text longer, and a message may quote a value.
        string text = message.Length <= MaxLineLength ? message : message[..CutBefore(message, MaxLineLength)] + "…";
        string line = $"{when} {(level >= LogLevel.Warning ? "warning" : "notice")} {LogLine.OneLine(text)}";
        long number = Interlocked.Increment(ref _count) - 1;
        Volatile.Write(ref _ring[number % MaxLines], new Line(number, line));
    }

    // Half a surrogate pair would be no text, and no JSON.
    private static int CutBefore(string message, int length) => char.IsHighSurrogate(message[length - 1]) ? length - 1 : length;

    private sealed record Line(long Number, string Text);

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
            if (inner.IsEnabled(logLevel))
                inner.Log(logLevel, eventId, state, exception, formatter);
            if (IsKept(logLevel))
                tail.Keep(logLevel, TextOf(state, exception, formatter));
        }

        // A message that cannot be written is the business of those whose message it is.
        private static string TextOf<TState>(TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            try
            {
                string text = formatter(state, null);
                return exception is null ? text : $"{text} {exception.Message}";
            }
            catch (Exception e)
            {
                return $"a message that cannot be written ({e.GetType().Name})";
            }
        }

        private bool IsKept(LogLevel level) => tail._isOn && level is >= LogLevel.Information and < LogLevel.None;
    }
}
