// Where the images of a snapshot go. Called under the latch of the key, by writers and by the walker.
namespace Garnet.Store.Snapshots;

/// <summary>
/// Receives every key that was live at the flip exactly once: from its first writer afterwards, or from the walker; keys that have expired
/// may be left out. Implementations copy what they need (or take a reference on the block); they must not wait, must not touch the store,
/// and must not throw.
/// </summary>
public interface ISnapshotSink
{
    /// <summary>A record of the flip is about to be changed, removed or moved for the first time; called by the writer.</summary>
    void OnFirstWrite(in SnapshotImage image);

    /// <summary>The walker met a record that nobody has changed since the flip.</summary>
    void OnWalk(in SnapshotImage image);

    /// <summary>
    /// True when images of so many bytes can be taken without waiting; writers ask before their first latch
    /// (<see cref="StoreSession.MustWaitForSnapshot"/>).
    /// </summary>
    bool HasRoom(long bytes);

    /// <summary>
    /// Completes when there may be room again, or the snapshot is over. For those who must not hold a thread while they wait.
    /// </summary>
    Task WaitForRoomAsync();
}
