// One caller's view of the store: epoch entry, latches held until the command ends, reads and writes. Used by one thread at a time.
namespace Garnet.Store;

/// <summary>
/// A caller's handle on the store. A batch is EnterBatch, then per command its reads and opens followed by <see cref="EndCommand"/>, then LeaveBatch.
/// Latches taken by <see cref="Open(ReadOnlySpan{byte}, ulong)"/> stay held until <see cref="EndCommand"/>; while any is held nothing may wait.
/// </summary>
public sealed class StoreSession : IDisposable
{
    /// <summary>The logical database that keys without an explicit one belong to.</summary>
    public int Database { get; set; }

    /// <summary>The store's time in Unix milliseconds as of the last <see cref="EnterBatch"/> or <see cref="EndCommand"/> (see the implementation for how often it moves).</summary>
    public long NowMs => throw new NotImplementedException();

    /// <summary>True when a key was changed since the last <see cref="EndCommand"/>.</summary>
    public bool IsDirty => throw new NotImplementedException();

    /// <summary>Counts changes of keys by this session: tells whether a command changed anything.</summary>
    public long ChangeCount => throw new NotImplementedException();

    /// <summary>From here to <see cref="EndExclusive"/> no other session is inside a command. The caller must hold no latch.</summary>
    public void BeginExclusive() => throw new NotImplementedException();

    /// <summary>Ends <see cref="BeginExclusive"/>.</summary>
    public void EndExclusive() => throw new NotImplementedException();

    /// <summary>Has a watcher told of any change of a key.</summary>
    public void Watch(int database, ReadOnlySpan<byte> key, ulong hash, KeyWatcher watcher) => throw new NotImplementedException();

    /// <summary>Takes a watcher off all its keys.</summary>
    public void Unwatch(KeyWatcher watcher) => throw new NotImplementedException();

    /// <summary>Enters the epoch. No await may happen before <see cref="LeaveBatch"/>.</summary>
    public void EnterBatch() => throw new NotImplementedException();

    /// <summary>Releases the command's latches, refreshes the epoch, yields to a barrier and to index growth that is due.</summary>
    public void EndCommand() => throw new NotImplementedException();

    /// <summary>Leaves the epoch.</summary>
    public void LeaveBatch() => throw new NotImplementedException();

    /// <summary>The seeded hash of a key in the current database.</summary>
    public ulong Hash(ReadOnlySpan<byte> key) => throw new NotImplementedException();

    /// <summary>Prefetches the index bucket of a hash.</summary>
    public void PrefetchBucket(ulong hash) => throw new NotImplementedException();

    /// <summary>Prefetches the record that the (already fetched) bucket names for a hash.</summary>
    public void PrefetchRecord(ulong hash) => throw new NotImplementedException();

    /// <summary>Takes credit for a write of about <paramref name="bytes"/>; false when memory is exhausted. Called before the first latch.</summary>
    public bool TryReserve(long bytes) => throw new NotImplementedException();

    /// <summary>Reads a key without a latch (under its latch when this session holds it, or after several failed tries). An expired key is missing.</summary>
    public ReadOutcome Read<TReader>(ReadOnlySpan<byte> key, ulong hash, RecordType type, ref TReader reader)
        where TReader : struct, IValueReader, allows ref struct => throw new NotImplementedException();

    /// <summary>Reads a key of any type.</summary>
    public ReadOutcome ReadAny<TReader>(ReadOnlySpan<byte> key, ulong hash, ref TReader reader)
        where TReader : struct, IValueReader, allows ref struct => throw new NotImplementedException();

    /// <summary>True when a live key exists.</summary>
    public bool Exists(ReadOnlySpan<byte> key, ulong hash) => throw new NotImplementedException();

    /// <summary>
    /// Latches the buckets of several keys in index order, all before any is touched; afterwards <see cref="Open(ReadOnlySpan{byte}, ulong)"/> and reads of these keys
    /// work on the held latches. Must be the first latching of the command (or transaction).
    /// </summary>
    public void Latch(ReadOnlySpan<KeyReference> keys) => throw new NotImplementedException();

    /// <summary>Latches a key of the current database and gives its record, or its absence. Held until <see cref="EndCommand"/>. An expired record is removed first (and its removal handed to the sink).</summary>
    public RecordHandle Open(ReadOnlySpan<byte> key, ulong hash) => throw new NotImplementedException();

    /// <summary>As <see cref="Open(ReadOnlySpan{byte}, ulong)"/> for another logical database; the hash must have been taken for that database.</summary>
    public RecordHandle Open(int database, ReadOnlySpan<byte> key, ulong hash) => throw new NotImplementedException();

    /// <summary>The seeded hash of a key in a given logical database.</summary>
    public ulong Hash(int database, ReadOnlySpan<byte> key) => throw new NotImplementedException();

    /// <inheritdoc/>
    public void Dispose() => throw new NotImplementedException();
}
