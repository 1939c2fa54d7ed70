// What is printed at the end. Immutable.
using Garnet.Bench.Options;

namespace Garnet.Bench.Results;

/// <summary>Everything that was measured.</summary>
/// <param name="Options">With what.</param>
/// <param name="Servers">Address and product of the server, then of the one that it is compared with.</param>
/// <param name="Measurements">In the order of tests; a test's two servers follow each other.</param>
internal sealed record BenchReport(
    BenchOptions Options,
    IReadOnlyList<(string Address, string? Product)> Servers,
    IReadOnlyList<Measurement> Measurements
)
{
    /// <summary>Whether two servers were compared.</summary>
    public bool IsComparison => Servers.Count > 1;

    /// <summary>Whether some reply was an error or a wrong value.</summary>
    public bool HasFailures => Measurements.Any(static measurement => measurement.HasFailures);

    /// <summary>The text in the form of the options.</summary>
    public string Text() =>
        Options.Output.Format switch
        {
            OutputFormat.Json => JsonReport.Write(this),
            OutputFormat.Csv => CsvReport.Write(this),
            OutputFormat.Quiet => TableReport.WriteQuiet(this),
            _ => TableReport.Write(this),
        };
}
