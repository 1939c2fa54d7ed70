// Receives the images of a snapshot. Called under the latch of the key, by writers and by the walker.
namespace Garnet.Store.Snapshots;

/// <summary>
/// Receives every key that was live at the flip exactly once: from its first writer afterwards, or from the walker; expired keys may be
/// left out. Implementations copy what they need (or reference the block); they must not wait, must not access the store, and must not
/// throw.
/// </summary>
internal interface ISnapshotSink
{
    /// <summary>A record from before the flip is about to be changed, removed or moved for the first time; called by the writer.</summary>
    void OnFirstWrite(in SnapshotImage image);

    /// <summary>The walker found a record that has not been changed since the flip.</summary>
    void OnWalk(in SnapshotImage image);

    /// <summary>
    /// True when images of that size can be accepted without waiting; writers ask before their first latch
    /// (<see cref="StoreSnapshots.MustWait"/>).
    /// </summary>
    bool HasSpace(long bytes);

    /// <summary>
    /// Completes when there may be space again, or when the snapshot is over. For callers that must not block a thread.
    /// </summary>
    Task WaitForSpaceAsync();
}
