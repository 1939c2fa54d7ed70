// Receives the keys that an iteration visits. Called on the iterating thread.
namespace Garnet.Store;

/// <summary>Receives keys from <see cref="Records.ReadPath.Scan"/> and <see cref="Records.ReadPath.TryRandomKey"/>.</summary>
internal interface IKeyVisitor
{
    /// <summary>
    /// Whether keys that have expired but not been removed are visited too: the visitor then removes or ignores them.
    /// </summary>
    bool SeesExpired { get; }

    /// <summary>Receives a copy of one key, valid during the call. No latch is held.</summary>
    void Visit(ReadOnlySpan<byte> key, in RecordInfo info);
}
