// Options of the result. Filled by one thread, then only read.
namespace Garnet.Bench.Options;

/// <summary>What is printed, and where.</summary>
internal sealed class OutputOptions
{
    /// <summary>The form on standard output.</summary>
    public OutputFormat Format { get; set; } = OutputFormat.Table;

    /// <summary>A file that receives the result instead of standard output; null for none.</summary>
    public string? File { get; set; }

    /// <summary>A file that receives the result as JSON in addition; null for none.</summary>
    public string? JsonFile { get; set; }

    /// <summary>What the names of files with latencies begin with; null for none.</summary>
    public string? HistogramPrefix { get; set; }

    /// <summary>Percentiles to show.</summary>
    public IReadOnlyList<double> Percentiles { get; set; } = [50, 95, 99, 99.9];

    /// <summary>Whether the line that shows the progress is left out.</summary>
    public bool HidesProgress { get; set; }
}
