// The files of one generation, as found in the folder. Immutable once filled.
namespace Garnet.Persistence.AppendLog;

/// <summary>A generation: its snapshot, its segments, and the content of its opening frame.</summary>
internal sealed class GenerationFiles(int number)
{
    public int Number { get; } = number;

    /// <summary>Whether its snapshot exists.</summary>
    public bool HasBase { get; set; }

    /// <summary>The system's error message for a file that cannot be read; null when there is none.</summary>
    public string? Unreadable { get; set; }

    /// <summary>Numbers of its segments, in order.</summary>
    public SortedSet<int> Segments { get; } = [];

    /// <summary>The opening frame; null when there is no valid one.</summary>
    public FrameHeader? Opening { get; set; }

    /// <summary>Whether there are frames although the opening one is invalid.</summary>
    public bool IsDamaged { get; set; }

    /// <summary>Whether it is useless because the data it continues was never saved.</summary>
    public bool LacksBase => !HasBase && Opening is { } opening && opening.Flags.HasFlag(FrameFlags.NeedsBase);
}
