// --latency and --latency-history: round trips of PING. One thread, until Ctrl+C or the interval is over.
using System.Diagnostics;
using System.Globalization;
using System.Text;
using Garnet.Cli.Connection;
using Garnet.Cli.Options;

namespace Garnet.Cli.Modes;

/// <summary>
/// On a terminal a line that is rewritten, and percentiles at the end; otherwise one line after the interval. Minimum and maximum are in
/// whole milliseconds, as scripts expect.
/// </summary>
/// <param name="options">Format and interval.</param>
/// <param name="host">Takes the lines.</param>
/// <param name="session">The server.</param>
internal sealed class LatencyMode(CliOptions options, CliHost host, CliSession session)
{
    private static readonly TimeSpan SampleInterval = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan HistoryInterval = TimeSpan.FromSeconds(15);
    private static readonly TimeSpan SingleInterval = TimeSpan.FromSeconds(1);

    private readonly LatencyHistogram _times = new();

    /// <summary>Runs it.</summary>
    /// <returns>The exit code.</returns>
    public int Run()
    {
        using var interruption = new Interruption(session.Abort);
        bool isLive = options.Output.Format == OutputFormat.Standard;
        TimeSpan interval = Positive(options.Interval) ?? (options.ShowsHistory ? HistoryInterval : SingleInterval);
        long start = Stopwatch.GetTimestamp();
        while (!interruption.IsRequested)
        {
            if (!TrySample(interruption))
                break;
            if (isLive)
                Write("\u001b[0G\u001b[2K" + Line());
            bool isOver = Stopwatch.GetElapsedTime(start) >= interval;
            if (isOver && options.ShowsHistory)
            {
                EndRange(Stopwatch.GetElapsedTime(start), isLive);
                start = Stopwatch.GetTimestamp();
            }
            else if (isOver && !isLive)
            {
                Write(Line());
                return 0;
            }

            interruption.Wait(SampleInterval);
        }

        if (isLive && _times.Count > 0)
            Write($"\n{_times.Summary}\n");
        return 0;
    }

    private static TimeSpan? Positive(TimeSpan? time) => time is { } given && given > TimeSpan.Zero ? given : null;

    private bool TrySample(Interruption interruption)
    {
        if (session.CallReconnecting("PING", interruption, out TimeSpan roundTrip) is null)
            return false;
        _times.Add((long)roundTrip.TotalMicroseconds);
        return true;
    }

    private void EndRange(TimeSpan range, bool isLive)
    {
        string seconds = string.Create(CultureInfo.InvariantCulture, $" -- {range.TotalSeconds:F2} seconds range\n");
        Write(isLive ? seconds : Line().TrimEnd('\n') + seconds);
        _times.Clear();
    }

    private string Line()
    {
        long min = _times.Min / 1000;
        long max = _times.Max / 1000;
        string average = (_times.Sum / 1000.0 / _times.Count).ToString("F2", CultureInfo.InvariantCulture);
        return options.Output.Format switch
        {
            OutputFormat.Csv => $"{min},{max},{average},{_times.Count}\n",
            OutputFormat.Raw => $"{min} {max} {average} {_times.Count}\n",
            OutputFormat.Standard => $"min: {min}, max: {max}, avg: {average} ({_times.Count} samples)",
            _ => $"{{\"min\": {min}, \"max\": {max}, \"avg\": {average}, \"count\": {_times.Count}}}\n",
        };
    }

    private void Write(string text) => host.Output.Write(Encoding.UTF8.GetBytes(text));
}
