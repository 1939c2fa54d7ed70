// How far a snapshot's walk has come. Owned by the walker.
namespace Garnet.Store.Snapshots;

/// <summary>A place in the log; default is the beginning.</summary>
public struct SnapshotCursor
{
    internal long Page;
    internal int Unit;
    internal uint Generation;
}
