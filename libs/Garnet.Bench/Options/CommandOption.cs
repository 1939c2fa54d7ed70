// One --command with what follows it. Filled by one thread, then only read.
namespace Garnet.Bench.Options;

/// <summary>A template as given.</summary>
internal sealed class CommandOption(string text)
{
    /// <summary>The command with its arguments.</summary>
    public string Text { get; } = text;

    /// <summary>How often it is sent in a row.</summary>
    public int Ratio { get; set; } = 1;

    /// <summary>How its keys are chosen; null for the pattern of reads.</summary>
    public KeyPattern? Pattern { get; set; }
}
