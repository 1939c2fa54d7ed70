// All that the command line of `garnet cli` says. Set while it is read, then only read; one thread.
namespace Garnet.Cli.Options;

/// <summary>The options, by redis-cli's names for them, so that scripts can be moved.</summary>
internal sealed class CliOptions
{
    /// <summary>Where and how to connect.</summary>
    public ConnectionOptions Connection { get; } = new();

    /// <summary>How replies are printed.</summary>
    public OutputOptions Output { get; } = new();

    /// <summary>Which keys, and how many, the modes that look at many keys take.</summary>
    public ScanOptions Scan { get; } = new();

    /// <summary>What to do.</summary>
    public CliMode Mode { get; set; }

    /// <summary>The command and its arguments; empty for an interactive session or lines from standard input.</summary>
    public byte[][] Command { get; set; } = [];

    /// <summary>-r: how often the command is sent; negative for ever; null if not given.</summary>
    public long? Repeat { get; set; }

    /// <summary>-i: the pause after each command or step; null if not given.</summary>
    public TimeSpan? Interval { get; set; }

    /// <summary>-c: follow redirections.</summary>
    public bool IsCluster { get; set; }

    /// <summary>-x: the last argument comes from standard input.</summary>
    public bool ReadsLastArgument { get; set; }

    /// <summary>-X: the argument with this name comes from standard input; or null.</summary>
    public string? InputTag { get; set; }

    /// <summary>--quoted-input: arguments are quoted strings.</summary>
    public bool HasQuotedInput { get; set; }

    /// <summary>--askpass: the password is asked for.</summary>
    public bool AsksPassword { get; set; }

    /// <summary>The file of --rdb and --eval.</summary>
    public string File { get; set; } = "";

    /// <summary>--functions-rdb: only the functions of a snapshot.</summary>
    public bool TakesFunctionsOnly { get; set; }

    /// <summary>--latency-history: a line for each interval.</summary>
    public bool ShowsHistory { get; set; }

    /// <summary>--mono: the spectrum in shades of grey.</summary>
    public bool IsMonochrome { get; set; }

    /// <summary>--pipe-timeout: how long the last reply of --pipe may take; zero for ever.</summary>
    public TimeSpan PipeTimeout { get; set; } = TimeSpan.FromSeconds(30);
}
