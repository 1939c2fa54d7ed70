// The line that shows progress. One thread.
using System.Diagnostics;
using System.Globalization;
using Garnet.Bench.Load;

namespace Garnet.Bench.Results;

/// <summary>Written over itself on a terminal; removed before anything else is printed.</summary>
internal sealed class LiveLine(TextWriter terminal, Func<int> width)
{
    private const int BarWidth = 20;

    private long _lastCompleted;
    private long _lastTimestamp;
    private bool _isShown;

    /// <summary>What precedes the figures: which round of which test.</summary>
    public string Title { get; set; } = "";

    /// <summary>A line on the terminal, or null where there is none or none is wanted.</summary>
    public static LiveLine? ForTerminal(bool isHidden) =>
        isHidden || Console.IsErrorRedirected || Environment.GetEnvironmentVariable("TERM") is "dumb"
            ? null
            : new LiveLine(Console.Error, static () => Console.WindowWidth);

    /// <summary>Shows where a measurement is.</summary>
    public void Show(LoadPlan plan, bool isWarmUp, TimeSpan elapsed, long completed)
    {
        long now = Stopwatch.GetTimestamp();
        double seconds = Stopwatch.GetElapsedTime(_lastTimestamp, now).TotalSeconds;
        long rate = completed < _lastCompleted || seconds <= 0 ? 0 : (long)((completed - _lastCompleted) / seconds);
        (_lastCompleted, _lastTimestamp) = (completed, now);
        double part = isWarmUp ? elapsed / plan.WarmUp : Part(plan, elapsed, completed);
        Write(Format(Title, isWarmUp, part, rate, completed));
    }

    /// <summary>Removes the line.</summary>
    public void Clear()
    {
        if (_isShown)
            Write("");
        terminal.Write('\r');
        _isShown = false;
    }

    /// <summary>The line's text.</summary>
    public static string Format(string title, bool isWarmUp, double part, long rate, long completed)
    {
        int filled = (int)(Math.Clamp(part, 0, 1) * BarWidth);
        string bar = new string('#', filled) + new string('.', BarWidth - filled);
        string phase = isWarmUp ? "warm-up" : string.Create(CultureInfo.InvariantCulture, $"{Math.Clamp(part, 0, 1) * 100, 4:0} %  ");
        return string.Create(CultureInfo.InvariantCulture, $"{title} [{bar}] {phase} {rate:#,0} requests/s, {completed:#,0} in all");
    }

    private static double Part(LoadPlan plan, TimeSpan elapsed, long completed)
    {
        double byTime = plan.Time is { } time ? elapsed / time : 0;
        double byCount = plan.Requests is { } requests ? (double)completed / requests : 0;
        return Math.Max(byTime, byCount);
    }

    // Never as wide as the terminal: the cursor would go to the next line, which is not overwritten.
    private void Write(string text)
    {
        int most = Math.Max(width() - 1, 0);
        terminal.Write('\r');
        terminal.Write(text.Length > most ? text[..most] : text.PadRight(most));
        _isShown = true;
    }
}
