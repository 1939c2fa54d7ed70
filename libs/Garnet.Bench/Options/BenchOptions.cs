// What a measurement is to do, as given on the command line. Filled by one thread, then only read.
namespace Garnet.Bench.Options;

/// <summary>All options, grouped by the part that reads them.</summary>
internal sealed class BenchOptions
{
    /// <summary>Where the server is, and how to log in.</summary>
    public TargetOptions Target { get; } = new();

    /// <summary>How much load, and for how long.</summary>
    public LoadOptions Load { get; } = new();

    /// <summary>Which keys.</summary>
    public KeyOptions Keys { get; } = new();

    /// <summary>Which values.</summary>
    public ValueOptions Values { get; } = new();

    /// <summary>Which commands.</summary>
    public CommandOptions Commands { get; } = new();

    /// <summary>What is printed, and where.</summary>
    public OutputOptions Output { get; } = new();

    /// <summary>Seed of everything that is random.</summary>
    public long Seed { get; set; } = 12345;

    /// <summary>Whether the options' list was asked for.</summary>
    public bool WantsHelp { get; set; }
}
