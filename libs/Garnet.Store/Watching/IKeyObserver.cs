// Receives immediate notifications of changes to watched keys. Called by any thread, under the key's latch or the barrier.
namespace Garnet.Store.Watching;

/// <summary>Notified by a <see cref="KeyWatcher"/> of each change of its keys, except when a stream only lost entries.</summary>
internal interface IKeyObserver
{
    /// <summary>A key changed. Must neither wait nor access the store: set a flag, and act once the latches are released.</summary>
    void OnTouched();
}
