// Observes all changes of a store. Called by any thread, under the key's latch or the barrier.
namespace Garnet.Store.Changes;

/// <summary>
/// Registered with <see cref="ChangeFeed.Observe"/>. Its methods must neither wait nor use the store: they record what happened, to
/// act on it after the command. Without observers a change costs one comparison.
/// </summary>
internal interface IKeyChangeObserver
{
    /// <summary>
    /// A key changed or, for a value that is edited in place, is about to be changed under the same latch. Several changes of one kind to
    /// one key by one command are raised once.
    /// </summary>
    void OnChange(in KeyChange change);

    /// <summary>Under the barrier: all keys of a logical database were removed at once.</summary>
    void OnFlushed(int database);

    /// <summary>Under the barrier: two logical databases exchanged their keys.</summary>
    void OnSwapped(int first, int second);

    /// <summary>
    /// Under the barrier: one database or all of them were emptied, whether or not they had keys. Once, after <see cref="OnFlushed"/>.
    /// </summary>
    void OnEmptied() { }
}
