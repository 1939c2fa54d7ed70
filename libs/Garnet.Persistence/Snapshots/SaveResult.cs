// The possible results of a save.
namespace Garnet.Persistence.Snapshots;

/// <summary>The result of a save.</summary>
internal enum SaveResult
{
    /// <summary>The file is complete and durable under its name.</summary>
    Success,

    /// <summary>An error occurred; the previous file is untouched (unless only syncing the folder after the renaming failed).</summary>
    Failed,

    /// <summary>The save was cancelled; the previous file is untouched.</summary>
    Cancelled,
}
