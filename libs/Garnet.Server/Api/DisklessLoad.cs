// Where a replica puts its primary's snapshot (repl-diskless-load). Immutable.
namespace Garnet;

/// <summary>Whether a replica loads its primary's snapshot straight from the connection.</summary>
public enum DisklessLoad
{
    /// <summary>
    /// It does if it has no data; otherwise it receives the snapshot into a file first, and serves its present data meanwhile.
    /// </summary>
    OnEmptyDb,

    /// <summary>It never does.</summary>
    Disabled,

    /// <summary>It always does: the present data is discarded when the snapshot begins.</summary>
    FlushBeforeLoad,

    /// <summary>
    /// It always does, beside the present data, which is replaced when the snapshot is complete and kept when it is not. If the snapshot is
    /// of the same history, clients are served from the present data meanwhile. Takes memory for both.
    /// </summary>
    SwapDb,
}
