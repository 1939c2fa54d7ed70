// Results for programs. Pure functions.
using System.Buffers;
using System.Text;
using System.Text.Json;
using Garnet.Bench.Load;
using Garnet.Bench.Options;

namespace Garnet.Bench.Results;

/// <summary>One object; names are stable, times say their unit.</summary>
internal static class JsonReport
{
    /// <summary>All figures, and those of each round.</summary>
    public static string Write(BenchReport report)
    {
        var bytes = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(bytes, new JsonWriterOptions { Indented = true, NewLine = "\n" }))
        {
            json.WriteStartObject();
            WriteServers(json, report);
            WriteLoad(json, report.Options);
            json.WriteStartArray("tests");
            foreach (Measurement measurement in report.Measurements)
                WriteMeasurement(json, measurement, report.Options.Output.Percentiles);
            json.WriteEndArray();
            if (report.IsComparison)
                WriteComparison(json, report);
            json.WriteEndObject();
        }

        return Encoding.UTF8.GetString(bytes.WrittenSpan) + "\n";
    }

    private static void WriteServers(Utf8JsonWriter json, BenchReport report)
    {
        json.WriteStartArray("servers");
        foreach ((string address, string? product) in report.Servers)
        {
            json.WriteStartObject();
            json.WriteString("address", address);
            json.WriteString("product", product);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    private static void WriteLoad(Utf8JsonWriter json, BenchOptions options)
    {
        json.WriteStartObject("load");
        json.WriteNumber("clients", options.Load.Clients);
        json.WriteNumber("threads", options.Load.Threads);
        json.WriteNumber("pipeline", options.Load.Pipeline);
        if (options.Load.Rate is { } rate)
            json.WriteNumber("rate", rate);
        else
            json.WriteNull("rate");
        json.WriteNumber("keys", options.Keys.Count);
        json.WriteNumber("seed", options.Seed);
        json.WriteEndObject();
    }

    private static void WriteMeasurement(Utf8JsonWriter json, Measurement measurement, IReadOnlyList<double> percentiles)
    {
        json.WriteStartObject();
        json.WriteString("test", measurement.Test);
        json.WriteString("server", measurement.Server);
        if (TableReport.ServerUs(measurement) is { } time)
            json.WriteNumber("server_us_per_request", time);
        else
            json.WriteNull("server_us_per_request");
        json.WriteNumber("generator_us_per_request", measurement.Median(static round => round.OwnUsPerRequest));
        json.WriteStartArray("commands");
        foreach (CommandFigures line in CommandFigures.Of(measurement, percentiles))
            WriteCommand(json, line, percentiles);
        json.WriteEndArray();
        json.WriteStartArray("rounds");
        foreach (LoadResult round in measurement.Rounds)
            WriteRound(json, round);
        json.WriteEndArray();
        json.WriteStartArray("notes");
        foreach (string note in ReportNotes.Of(measurement))
            json.WriteStringValue(note);
        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void WriteCommand(Utf8JsonWriter json, CommandFigures line, IReadOnlyList<double> percentiles)
    {
        json.WriteStartObject();
        json.WriteString("command", line.Name);
        json.WriteNumber("requests", line.Requests);
        json.WriteNumber("requests_per_second", line.Rate);
        json.WriteNumber("mean_ms", line.MeanMs);
        for (int i = 0; i < percentiles.Count; i++)
            json.WriteNumber(FigureText.Percentile(percentiles[i]) + "_ms", line.PercentilesMs[i]);
        json.WriteNumber("max_ms", line.MaxMs);
        json.WriteNumber("nulls", line.Nulls);
        json.WriteNumber("errors", line.Errors);
        json.WriteNumber("wrong_values", line.WrongValues);
        json.WriteEndObject();
    }

    private static void WriteRound(Utf8JsonWriter json, LoadResult round)
    {
        json.WriteStartObject();
        json.WriteNumber("requests", round.Requests);
        json.WriteNumber("requests_per_second", round.Rate);
        json.WriteNumber("seconds", round.Elapsed.TotalSeconds);
        json.WriteNumber("bytes_in", round.BytesIn);
        json.WriteNumber("bytes_out", round.BytesOut);
        json.WriteNumber("unsent", round.Unsent);
        json.WriteNumber("generator_load", round.OwnLoad);
        json.WriteEndObject();
    }

    private static void WriteComparison(Utf8JsonWriter json, BenchReport report)
    {
        json.WriteStartArray("comparison");
        for (int i = 0; i + 1 < report.Measurements.Count; i += 2)
        {
            json.WriteStartObject();
            json.WriteString("test", report.Measurements[i].Test);
            (Measurement first, Measurement second) = (report.Measurements[i], report.Measurements[i + 1]);
            foreach ((string name, double a, double b) in ComparisonTable.Figures(first, second, report.Options.Output.Percentiles))
            {
                if (double.IsFinite(a / b))
                    json.WriteNumber(name, a / b);
            }

            json.WriteEndObject();
        }

        json.WriteEndArray();
    }
}
