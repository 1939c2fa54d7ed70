// How replies are printed. Set while the options are read; one thread.
namespace Garnet.Cli.Options;

/// <summary>The format and its details.</summary>
internal sealed class OutputOptions
{
    /// <summary>The form of replies.</summary>
    public OutputFormat Format { get; set; }

    /// <summary>What stands between the elements of a reply in raw output.</summary>
    public byte[] ElementDelimiter { get; set; } = [(byte)'\n'];

    /// <summary>What stands after a reply in raw output.</summary>
    public byte[] ReplyDelimiter { get; set; } = [(byte)'\n'];

    /// <summary>Whether unsolicited messages of RESP3 are printed.</summary>
    public bool ShowsPushes { get; set; }

    /// <summary>Whether an error reply ends the process with exit code 1.</summary>
    public bool FailsOnError { get; set; }

    /// <summary>Whether standard output is a terminal: control characters are shown there, never obeyed.</summary>
    public bool IsTerminal { get; set; }
}
