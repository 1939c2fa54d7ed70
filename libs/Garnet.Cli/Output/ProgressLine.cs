// How far long work has come, on a terminal. One thread.
using System.Diagnostics;
using System.Globalization;
using System.Text;

namespace Garnet.Cli.Output;

/// <summary>Rewrites a line on standard error a few times a second; shows nothing where that is no terminal.</summary>
/// <param name="host">Standard error.</param>
internal sealed class ProgressLine(CliHost host)
{
    private const int BarWidth = 30;
    private const string Clear = "\r\u001b[K";
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(200);

    private long _shownAt;

    /// <summary>Shows an amount, with a bar where the whole is known.</summary>
    /// <param name="done">What is done.</param>
    /// <param name="whole">All that there is to do; null if that is not known.</param>
    /// <param name="unit">What is counted.</param>
    public void Show(long done, long? whole, string unit)
    {
        if (!host.ErrorIsTerminal || (_shownAt != 0 && Stopwatch.GetElapsedTime(_shownAt) < Interval))
            return;
        _shownAt = Stopwatch.GetTimestamp();
        string amount = done.ToString("N0", CultureInfo.InvariantCulture);
        string bar = "";
        if (whole is > 0 and var all)
        {
            int filled = (int)Math.Min(BarWidth, done * BarWidth / all);
            bar = $"[{new string('#', filled)}{new string('.', BarWidth - filled)}] ";
        }

        Write($"{Clear}{bar}{amount} {unit}");
    }

    /// <summary>Removes the line.</summary>
    public void End()
    {
        if (_shownAt != 0)
            Write(Clear);
        _shownAt = 0;
    }

    private void Write(string text) => host.Error.Write(Encoding.UTF8.GetBytes(text));
}
