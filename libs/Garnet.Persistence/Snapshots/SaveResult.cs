// How a save ended.
namespace Garnet.Persistence.Snapshots;

/// <summary>How a save ended.</summary>
public enum SaveResult
{
    /// <summary>The file is complete and durable under its name.</summary>
    Success,

    /// <summary>
    /// Something went wrong; the file that was there before is untouched (unless only the folder could not be made durable after the
    /// renaming).
    /// </summary>
    Failed,

    /// <summary>Somebody asked for its end; the file that was there before is untouched.</summary>
    Cancelled,
}
