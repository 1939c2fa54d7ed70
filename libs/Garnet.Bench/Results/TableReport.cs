// Results for people. Pure functions.
using System.Globalization;
using System.Text;
using Garnet.Bench.Options;

namespace Garnet.Bench.Results;

/// <summary>Writes tables: one a test, or one for a comparison.</summary>
internal static class TableReport
{
    /// <summary>All figures.</summary>
    public static string Write(BenchReport report)
    {
        var text = new StringBuilder();
        AppendHeading(text, report);
        if (report.IsComparison)
        {
            ComparisonTable.Append(text, report);
        }
        else
        {
            foreach (Measurement measurement in report.Measurements)
                AppendMeasurement(text, report, measurement);
        }

        return text.ToString();
    }

    /// <summary>A line a command.</summary>
    public static string WriteQuiet(BenchReport report)
    {
        var text = new StringBuilder();
        foreach (Measurement measurement in report.Measurements)
        {
            string server = report.IsComparison ? $" ({measurement.Server})" : "";
            foreach (CommandFigures line in CommandFigures.Of(measurement, [50, 99]))
            {
                string errors = line.Errors > 0 ? $", {FigureText.Whole(line.Errors)} errors" : "";
                text.AppendLine(
                    $"{line.Name}{server}: {FigureText.Whole(line.Rate)} requests per second, p50={FigureText.Milliseconds(line.PercentilesMs[0])} ms, "
                        + $"p99={FigureText.Milliseconds(line.PercentilesMs[1])} ms{errors}"
                );
            }
        }

        return text.ToString();
    }

    private static void AppendHeading(StringBuilder text, BenchReport report)
    {
        foreach ((string address, string? product) in report.Servers)
            text.AppendLine(product is null ? address : $"{address}: {product}");
        LoadOptions load = report.Options.Load;
        string loop = load.Rate is { } rate
            ? string.Create(CultureInfo.InvariantCulture, $"open loop at {rate:#,0.##} requests/s")
            : "closed loop";
        string rounds = report.Measurements[0].Rounds.Count is var count and > 1 ? $", medians of {count} rounds" : "";
        text.AppendLine(
            $"{load.Clients} connections, {load.Threads} thread{(load.Threads == 1 ? "" : "s")}, pipeline {load.Pipeline}, {loop}{rounds}"
        );
    }

    private static void AppendMeasurement(StringBuilder text, BenchReport report, Measurement measurement)
    {
        IReadOnlyList<double> percentiles = report.Options.Output.Percentiles;
        IReadOnlyList<CommandFigures> lines = CommandFigures.Of(measurement, percentiles);
        bool hasErrors = lines.Any(static line => line.Errors > 0);
        bool hasWrong = report.Options.Values.IsVerified;
        var rows = new List<string[]>
        {
            (string[])
                [
                    measurement.Test,
                    "requests",
                    "requests/s",
                    "mean ms",
                    .. percentiles.Select(FigureText.Percentile),
                    "max",
                    "nulls",
                    .. Optional(hasErrors, "errors"),
                    .. Optional(hasWrong, "wrong"),
                ],
        };
        foreach (CommandFigures line in lines)
        {
            rows.Add([
                line.Name,
                FigureText.Whole(line.Requests),
                FigureText.Whole(line.Rate),
                FigureText.Milliseconds(line.MeanMs),
                .. line.PercentilesMs.Select(FigureText.Milliseconds),
                FigureText.Milliseconds(line.MaxMs),
                FigureText.Whole(line.Nulls),
                .. Optional(hasErrors, FigureText.Whole(line.Errors)),
                .. Optional(hasWrong, FigureText.Whole(line.WrongValues)),
            ]);
        }

        text.AppendLine();
        TextTable.Append(text, rows);
        text.AppendLine(Costs(measurement));
        foreach (string note in ReportNotes.Of(measurement))
            text.AppendLine($"note: {note}");
    }

    private static string[] Optional(bool isShown, string cell) => isShown ? [cell] : [];

    private static string Costs(Measurement measurement)
    {
        string server = ServerUs(measurement) is { } time ? $"server {FigureText.Microseconds(time)} us, " : "";
        double own = measurement.Median(static round => round.OwnUsPerRequest);
        double megabytes = measurement.Median(static round =>
            round.Elapsed > TimeSpan.Zero ? (round.BytesIn + round.BytesOut) / round.Elapsed.TotalSeconds / 1_000_000 : 0
        );
        return string.Create(
            CultureInfo.InvariantCulture,
            $"processor time a request: {server}load generator {FigureText.Microseconds(own)} us; {megabytes:0.0} MB/s"
        );
    }

    /// <summary>The median of the server's processor time for a request in microseconds, or null when a round does not know it.</summary>
    internal static double? ServerUs(Measurement measurement) =>
        measurement.Rounds.All(static round => round.ServerUsPerRequest is not null)
            ? measurement.Median(static round => round.ServerUsPerRequest!.Value)
            : null;
}
