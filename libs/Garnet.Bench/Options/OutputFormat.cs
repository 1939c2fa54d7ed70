// The forms of a result.
namespace Garnet.Bench.Options;

/// <summary>How results are printed.</summary>
internal enum OutputFormat
{
    /// <summary>For people.</summary>
    Table,

    /// <summary>One line a test.</summary>
    Quiet,

    /// <summary>One object.</summary>
    Json,

    /// <summary>A line of names, then a line a command.</summary>
    Csv,
}
