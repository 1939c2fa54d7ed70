// Writes latencies in full. One thread.
using System.Globalization;
using Garnet.Bench.Load;
using HdrHistogram;

namespace Garnet.Bench.Results;

/// <summary>A file a command, in the form that HdrHistogram's plotter reads; latencies in milliseconds, all rounds together.</summary>
internal static class HistogramFiles
{
    private const double NanosecondsPerMillisecond = 1_000_000;

    /// <summary>Writes the files; their names begin with a prefix.</summary>
    public static void Write(string prefix, BenchReport report)
    {
        var names = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        foreach (Measurement measurement in report.Measurements)
        {
            string server = report.IsComparison ? $"{Safe(measurement.Server)}-" : "";
            foreach (string command in measurement.Commands)
            {
                var sum = new CommandResult(command);
                foreach (LoadResult round in measurement.Rounds)
                    sum.Add(round.Commands.First(each => each.Name == command));
                using var file = new StreamWriter(Unused(names, $"{prefix}{server}{Safe(measurement.Test)}-{Safe(command)}"));
                sum.Latencies.OutputPercentileDistribution(file, outputValueUnitScalingRatio: NanosecondsPerMillisecond);
            }
        }
    }

    // A server that is compared with itself, and a test that is named twice, have one name for two results.
    private static string Unused(HashSet<string> names, string name)
    {
        string unused = name;
        for (int i = 2; !names.Add(unused); i++)
            unused = string.Create(CultureInfo.InvariantCulture, $"{name}-{i}");
        return unused + ".txt";
    }

    private static string Safe(string name) => string.Concat(name.Select(static c => char.IsAsciiLetterOrDigit(c) || c is '_' ? c : '_'));
}
