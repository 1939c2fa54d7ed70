// Which keys the modes that look at many keys take. Set while the options are read; one thread.
namespace Garnet.Cli.Options;

/// <summary>Pattern and counts of --scan, --bigkeys, --memkeys and --hotkeys.</summary>
internal sealed class ScanOptions
{
    /// <summary>--pattern; null for all keys.</summary>
    public byte[]? Pattern { get; set; }

    /// <summary>--count: the keys that the server looks at in a step; 0 if not given.</summary>
    public int Count { get; set; }

    /// <summary>--memkeys-samples: the elements of a key that are measured; null for the server's choice.</summary>
    public long? Samples { get; set; }

    /// <summary>--hotkeys-count: the keys to list.</summary>
    public int HotKeys { get; set; } = 16;
}
