// Takes walked records straight out of the store. Called by the walking thread under the latch of the key.
namespace Garnet.Store.Snapshots;

/// <summary>
/// Saves the copy into the snapshot's buffer for records that can be encoded at once. As for <see cref="ISnapshotSink"/>, implementations
/// must not wait, must not access the store, and must not throw.
/// </summary>
internal interface ISnapshotWalker
{
    /// <summary>Takes everything it needs of a record unchanged since the flip; false if the sink is to receive it instead.</summary>
    bool TryTake(in SnapshotImage image);
}
