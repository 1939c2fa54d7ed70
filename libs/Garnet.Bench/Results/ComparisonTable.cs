// Two servers side by side. Pure functions.
using System.Text;

namespace Garnet.Bench.Results;

/// <summary>Medians of both, the first divided by the second, and how far the rounds lie apart.</summary>
internal static class ComparisonTable
{
    /// <summary>Appends a table a test.</summary>
    public static void Append(StringBuilder text, BenchReport report)
    {
        for (int i = 0; i + 1 < report.Measurements.Count; i += 2)
            Append(text, report, report.Measurements[i], report.Measurements[i + 1]);
    }

    /// <summary>The figures of both servers, in the order of the table.</summary>
    public static IEnumerable<(string Name, double First, double Second)> Figures(
        Measurement first,
        Measurement second,
        IReadOnlyList<double> percentiles
    )
    {
        var a = CommandFigures.Total(first, percentiles);
        var b = CommandFigures.Total(second, percentiles);
        yield return ("requests/s", a.Rate, b.Rate);
        yield return ("mean ms", a.MeanMs, b.MeanMs);
        for (int i = 0; i < percentiles.Count; i++)
            yield return ($"{FigureText.Percentile(percentiles[i])} ms", a.PercentilesMs[i], b.PercentilesMs[i]);
        if (TableReport.ServerUs(first) is { } x && TableReport.ServerUs(second) is { } y)
            yield return ("server us/request", x, y);
    }

    private static void Append(StringBuilder text, BenchReport report, Measurement first, Measurement second)
    {
        var rows = new List<string[]> { (string[])[first.Test, report.Servers[0].Address, report.Servers[1].Address, "ratio"] };
        foreach ((string name, double a, double b) in Figures(first, second, report.Options.Output.Percentiles))
        {
            rows.Add(
                name == "requests/s"
                    ? [name, FigureText.Whole(a), FigureText.Whole(b), FigureText.Ratio(a / b)]
                    : [name, FigureText.Milliseconds(a), FigureText.Milliseconds(b), FigureText.Ratio(a / b)]
            );
        }

        rows.Add(["requests/s, range", Range(first), Range(second), ""]);
        text.AppendLine();
        TextTable.Append(text, rows);
        foreach (Measurement measurement in (Measurement[])[first, second])
        {
            foreach (string note in ReportNotes.Of(measurement))
                text.AppendLine($"note: {measurement.Server}: {note}");
        }
    }

    private static string Range(Measurement measurement)
    {
        (double least, double most) = measurement.Spread(static round => round.Rate);
        return $"{FigureText.Whole(least)} - {FigureText.Whole(most)}";
    }
}
