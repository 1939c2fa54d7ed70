// The progress of a snapshot's walk. Owned by the walker.
namespace Garnet.Store.Snapshots;

/// <summary>A position in the log; default is the beginning.</summary>
internal struct SnapshotCursor
{
    internal long Page;
    internal int Unit;
    internal uint Generation;
}
