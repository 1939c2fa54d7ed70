// Options of the commands to send. Filled by one thread, then only read.
namespace Garnet.Bench.Options;

/// <summary>Which commands are measured: tests by name, templates, or a mix of SET and GET.</summary>
internal sealed class CommandOptions
{
    /// <summary>Names of tests, each measured alone.</summary>
    public IReadOnlyList<string> Tests { get; set; } = [];

    /// <summary>Templates, sent in this order by each connection.</summary>
    public List<CommandOption> Templates { get; } = [];

    /// <summary>The words after the options: a template, or several separated by semicolons.</summary>
    public IReadOnlyList<string> Words { get; set; } = [];

    /// <summary>How many SETs and GETs follow each other; null where other commands are given.</summary>
    public (int Sets, int Gets)? Ratio { get; set; }

    /// <summary>How many keys are read at once, with MGET; null for one, with GET.</summary>
    public int? KeysPerGet { get; set; }

    /// <summary>How many keys or elements a test writes before it reads them; null for all.</summary>
    public long? PreparedKeys { get; set; }

    /// <summary>Whether all keys are written before the measurement.</summary>
    public bool Fills { get; set; }
}
