// Results for spreadsheets. Pure functions.
using System.Globalization;
using System.Text;

namespace Garnet.Bench.Results;

/// <summary>A line of names, then a line a command; text is quoted.</summary>
internal static class CsvReport
{
    /// <summary>All figures.</summary>
    public static string Write(BenchReport report)
    {
        IReadOnlyList<double> percentiles = report.Options.Output.Percentiles;
        var text = new StringBuilder();
        text.AppendJoin(
            ',',
            (IEnumerable<string>)
                [
                    "server",
                    "test",
                    "command",
                    "requests",
                    "rps",
                    "avg_latency_ms",
                    .. percentiles.Select(static percentile => FigureText.Percentile(percentile) + "_latency_ms"),
                    "max_latency_ms",
                    "nulls",
                    "errors",
                    "wrong_values",
                    "server_us_per_request",
                ]
        );
        text.Append('\n');
        foreach (Measurement measurement in report.Measurements)
        {
            string server = TableReport.ServerUs(measurement) is { } time ? FigureText.Microseconds(time) : "";
            foreach (CommandFigures line in CommandFigures.Of(measurement, percentiles))
            {
                text.AppendJoin(',', Cells(measurement, line)).Append(',').Append(server);
                text.Append('\n');
            }
        }

        return text.ToString();
    }

    private static IEnumerable<string> Cells(Measurement measurement, CommandFigures line) =>
        [
            Quoted(measurement.Server),
            Quoted(measurement.Test),
            Quoted(line.Name),
            Number(line.Requests),
            line.Rate.ToString("0.00", CultureInfo.InvariantCulture),
            FigureText.Milliseconds(line.MeanMs),
            .. line.PercentilesMs.Select(FigureText.Milliseconds),
            FigureText.Milliseconds(line.MaxMs),
            Number(line.Nulls),
            Number(line.Errors),
            Number(line.WrongValues),
        ];

    private static string Number(long number) => number.ToString(CultureInfo.InvariantCulture);

    private static string Quoted(string text) => $"\"{text.Replace("\"", "\"\"", StringComparison.Ordinal)}\"";
}
