// Who wants to know at once that a watched key changed. Called by any thread, under the key's latch or the barrier.
namespace Garnet.Store.Watching;

/// <summary>Told by a <see cref="KeyWatcher"/> of each change of its keys, but for those of a stream that only lost entries.</summary>
public interface IKeyObserver
{
    /// <summary>A key changed. Must neither wait nor touch the store: take a note, and act when the latches are gone.</summary>
    void OnTouched();
}
