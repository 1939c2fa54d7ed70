// Large values in blocks that are shared with snapshots, replies or copied keys, and copied before a change. Any thread, with its session.
using System.Runtime.CompilerServices;
using Garnet.Store.Index;
using Garnet.Store.Memory;
using Garnet.Store.Tiering;

namespace Garnet.Store.Records;

/// <summary>Keeps copies of several megabytes out of latches.</summary>
internal static class SharedBlocks
{
    /// <summary>
    /// True when changing part of this key's value would first copy several megabytes under its latch, because the block is shared. Asked
    /// in a batch, before the command's first latch; <see cref="Copy"/> then copies without one.
    /// </summary>
    public static unsafe bool MustCopy(StoreSession session, ReadOnlySpan<byte> key, ulong hash)
    {
        HybridLogStore store = session.Store;
        if (!store.Blocks.HasMapped || session.Barrier.IsExclusive)
            return false;

        int physical = store.Databases.Map.PhysicalOf(session.Database);
        ulong salted = store.Databases.Map.Salt(hash, physical);
        using var latch = new BriefLatch(session, salted);
        byte* record = session.Reads.Find(latch.Bucket, salted, physical, key, out _);
        if (record == null || (*(ulong*)record & RecordHeader.BlockValue) == 0 || ColdRecord.IsStub(record, *(ulong*)record))
            return false;

        BlockHeader* block = RecordHeader.ValueBlockOf(record, *(ulong*)record);
        return BlockHeap.IsMapped(block)
            && (Volatile.Read(ref block->References) > 1 || (store.Snapshots.Round?.IsOld(*(ulong*)record) ?? false));
    }

    /// <summary>
    /// Replaces a key's large shared block by a private one, copied without a latch, so that it can be changed in place. Does nothing if
    /// the key changes in the meantime. Takes as long as the copy; the caller must not be in a batch.
    /// </summary>
    /// <param name="store">The store.</param>
    /// <param name="database">The logical database.</param>
    /// <param name="key">The key.</param>
    public static void Copy(HybridLogStore store, int database, ReadOnlySpan<byte> key)
    {
        using StoreSession session = store.OpenSession();
        session.Database = database;
        session.EnterBatch();
        RecordHandle record = session.Open(key, session.Hash(key));
        bool isBlock = record.TryReferenceBlock(out ValueBlock shared);
        session.LeaveBatch();
        if (!isBlock)
            return;

        // Holding a reference keeps writers from changing the block.
        var copy = ValueBlock.Allocate(store, shared.Length);
        shared.Span.CopyTo(copy.Span);
        copy.CountArrived(copy.Length);
        session.EnterBatch();
        record = session.Open(key, session.Hash(key));
        if (!TryExchange(ref record.Latched, shared, copy))
            copy.Release();

        session.LeaveBatch();
        shared.Release();
    }

    // The contents stay the same, so no notification is sent.
    private static unsafe bool TryExchange(ref LatchedKey key, ValueBlock shared, ValueBlock copy)
    {
        key.BeforeChange();
        ulong header = key.Header;
        if (
            (header & RecordHeader.BlockValue) == 0
            || RecordHeader.ValueBlockOf(key.Record, header) != shared.Header
            || shared.Length != copy.Length
        )
        {
            return false;
        }

        Unsafe.WriteUnaligned(key.Record + RecordHeader.ValueOffset(key.Record, header), (nint)copy.Header);
        key.Session.Store.Blocks.Release(shared.Header);
        return true;
    }
}
