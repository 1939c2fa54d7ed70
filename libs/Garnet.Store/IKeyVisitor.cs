// What a caller does with a key that an iteration meets. Called on the iterating thread.
namespace Garnet.Store;

/// <summary>Receives keys from <see cref="StoreSession.Scan"/> and <see cref="StoreSession.TryRandomKey"/>.</summary>
public interface IKeyVisitor
{
    /// <summary>
    /// Whether keys that have expired but are still there are visited, too: the visitor then removes them or leaves them alone.
    /// </summary>
    bool SeesExpired { get; }

    /// <summary>Takes one key; a copy, valid during the call. No latch is held.</summary>
    void Visit(ReadOnlySpan<byte> key, in RecordInfo info);
}
