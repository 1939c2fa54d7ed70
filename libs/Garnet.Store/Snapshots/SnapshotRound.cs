// The active snapshot: its version, its sink, the database map at the flip. Set and cleared under the barrier, used under latches.
using System.Runtime.CompilerServices;
using Garnet.Store.Epochs;
using Garnet.Store.Records;

namespace Garnet.Store.Snapshots;

/// <summary>
/// A record without the current version is unchanged since the flip. Its first writer passes the image to the sink and sets the current
/// version; so does the walker.
/// </summary>
internal sealed unsafe class SnapshotRound(HybridLogStore store, ISnapshotSink sink, byte version, short[] logical, long lastPage)
{
    public ISnapshotSink Sink { get; } = sink;

    /// <summary>The last page that existed at the flip; later ones hold nothing old.</summary>
    public long LastPage { get; } = lastPage;

    /// <summary>Called under the latch before a record is changed, removed or moved.</summary>
    public void BeforeChange(byte* record, EpochSlot slot)
    {
        if (TryTake(record, out int database))
            Sink.OnFirstWrite(new SnapshotImage(store, record, database, slot.Number));
    }

    /// <summary>As <see cref="BeforeChange(byte*, EpochSlot)"/> for a record whose value is on disk, where the value is at hand.</summary>
    public void BeforeChange(byte* stub, EpochSlot slot, ReadOnlySpan<byte> value)
    {
        if (TryTake(stub, out int database))
            Sink.OnFirstWrite(new SnapshotImage(store, stub, database, slot.Number, value));
    }

    /// <summary>Called under the latch by the thread that reads the disk, for a record whose value it has found.</summary>
    public void Walk(byte* stub, ReadOnlySpan<byte> value, EpochSlot slot, ISnapshotWalker walker)
    {
        if (TryTake(stub, out int database))
            Pass(new SnapshotImage(store, stub, database, slot.Number, value), walker);
    }

    /// <summary>Called under the latch by the thread that walks.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Walk(byte* record, EpochSlot slot, ISnapshotWalker? walker)
    {
        if (TryTake(record, out int database))
            Pass(new SnapshotImage(store, record, database, slot.Number), walker);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Pass(in SnapshotImage image, ISnapshotWalker? walker)
    {
        if (walker is null || !walker.TryTake(image))
            Sink.OnWalk(image);
    }

    public bool IsOld(ulong header) => RecordHeader.Version(header) != version;

    // Marks the record as taken; false when it already was, or was in a database flushed before the flip.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryTake(byte* record, out int database)
    {
        ulong header = *(ulong*)record;
        database = logical[RecordHeader.Physical(header)];
        if (!IsOld(header))
            return false;

        *(ulong*)record = RecordHeader.WithVersion(header, version);
        return database >= 0;
    }
}
