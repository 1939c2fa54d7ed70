// What `garnet cli` is asked to do. A plain value; no thread owns it.
namespace Garnet.Cli.Options;

/// <summary>The modes; each is a class in the folder Modes.</summary>
internal enum CliMode
{
    /// <summary>The command on the command line, or else lines from the terminal or standard input.</summary>
    Commands,

    /// <summary>--help.</summary>
    Help,

    /// <summary>--version.</summary>
    Version,

    /// <summary>--eval: a script from a file.</summary>
    Eval,

    /// <summary>--pipe: requests from standard input, as they are.</summary>
    Pipe,

    /// <summary>--scan: lists keys.</summary>
    Scan,

    /// <summary>--bigkeys: the keys with the most elements.</summary>
    BigKeys,

    /// <summary>--memkeys: the keys that take the most memory.</summary>
    MemoryKeys,

    /// <summary>--hotkeys: the keys that are used most.</summary>
    HotKeys,

    /// <summary>--latency: round trips.</summary>
    Latency,

    /// <summary>--latency-dist: round trips as a spectrum.</summary>
    LatencySpectrum,

    /// <summary>--stat: a line of statistics each second.</summary>
    Statistics,

    /// <summary>--rdb: a snapshot of the server into a file.</summary>
    Snapshot,

    /// <summary>--replica: the stream of changes.</summary>
    Replica,
}
