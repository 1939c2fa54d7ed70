// The files of one generation, as a listing of the folder shows them. Immutable once filled.
namespace Garnet.Persistence.AppendLog;

/// <summary>A generation: its snapshot, its segments, and what its opening frame says.</summary>
internal sealed class GenerationFiles(int number)
{
    /// <summary>The generation's number.</summary>
    public int Number { get; } = number;

    /// <summary>Whether its snapshot is there.</summary>
    public bool HasBase { get; set; }

    /// <summary>What cannot be read of it, in the system's words; null when nothing is wrong.</summary>
    public string? Unreadable { get; set; }

    /// <summary>Numbers of its segments, in order.</summary>
    public SortedSet<int> Segments { get; } = [];

    /// <summary>The opening frame; null when there is none that is sound.</summary>
    public FrameHeader? Opening { get; set; }

    /// <summary>Whether there are frames though the opening one is not sound.</summary>
    public bool IsDamaged { get; set; }

    /// <summary>Whether it is of no use, since the data it continues was never saved.</summary>
    public bool LacksBase => !HasBase && Opening is { } opening && opening.Flags.HasFlag(FrameFlags.NeedsBase);
}
