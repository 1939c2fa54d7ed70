// The progress of a snapshot's walk. Owned by the walker.
namespace Garnet.Store.Snapshots;

/// <summary>A position in the log; default is the beginning.</summary>
internal struct SnapshotCursor
{
    internal long Page;
    internal int Unit;
    internal uint Generation;

    /// <summary>
    /// Whether the walk leaves out keys whose values are on disk, because <see cref="Tiering.ColdWalk"/> passes them in their order there. A
    /// whole walk has to follow, for those that it misses.
    /// </summary>
    public bool SkipsCold { get; init; }
}
