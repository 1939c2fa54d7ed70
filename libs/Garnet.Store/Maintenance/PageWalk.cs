// Walks the records of pages while other threads write. Each walk has its own instance; the pages are shared.
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;
using Garnet.Store.Index;
using Garnet.Store.Log;
using Garnet.Store.Memory;
using Garnet.Store.Records;
using Garnet.Store.Snapshots;

namespace Garnet.Store.Maintenance;

/// <summary>
/// Steps from header to header. A header may change at any time, so what a walk sees is only a hint; <see cref="TryLatch"/> verifies it
/// under the latch of the record's bucket. What runs for each record of a snapshot is inlined by hand, because a native build has no
/// profile that would do it.
/// </summary>
internal unsafe ref struct PageWalk(HybridLogStore store, long page)
{
    private const int AheadBytes = 4096;
    private const int MostAheadBytes = 1024;
    private const int LineBytes = 64;
    private const int UnitBytes = 8;

    private readonly HashIndex _index = store.Index;
    private readonly RecordLog _log = store.Log;
    private readonly DatabaseMap _databases = store.Databases.Map;
    private int _next;

    /// <summary>Address of the current record.</summary>
    public long Address { get; private set; }

    /// <summary>Its header at the time of the step.</summary>
    public ulong Header { get; private set; }

    /// <summary>Pointer to the current record.</summary>
    public readonly byte* Record => _log.Resolve(Address);

    /// <summary>The bucket latched by <see cref="TryLatch"/>.</summary>
    public long Bucket { get; private set; }

    /// <summary>The salted hash under which the index stores the record.</summary>
    public ulong Salted { get; private set; }

    /// <summary>Position at which the walk continues; can be set to resume an earlier walk of the same page.</summary>
    public int NextUnit
    {
        readonly get => _next;
        set => _next = value;
    }

    /// <summary>Moves to the next live record; false at the end of the page, or of its written part.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool MoveNext()
    {
        while (_next < _log.PageUnits)
        {
            Address = _log.AddressOf(page, _next);
            Header = Volatile.Read(ref *(ulong*)Record);
            int units = RecordHeader.Units(Header);
            if (units == 0)
                return false;

            _next += units;
            if ((Header & RecordHeader.Dead) == 0)
                return true;
        }

        return false;
    }

    /// <summary>
    /// Prefetches the bucket that <see cref="TryLatch"/> will latch: in a walk every bucket is elsewhere in memory, and waiting for it
    /// takes most of a walk's time.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void PrefetchBucket()
    {
        ulong header = Volatile.Read(ref *(ulong*)Record);
        if ((header & RecordHeader.Dead) == 0)
            _index.Prefetch(HashOf(header));
    }

    /// <summary>
    /// Prefetches as many bytes as the current record has, up to a limit, from some kilobytes ahead: the processor's own prefetching stops
    /// at each page of memory.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void PrefetchAhead()
    {
        if (!Sse.IsSupported)
            return;

        byte* ahead = Record + AheadBytes;
        for (int left = Math.Min(RecordHeader.Units(Header) * UnitBytes, MostAheadBytes); left > 0; left -= LineBytes)
        {
            Sse.Prefetch0(ahead);
            ahead += LineBytes;
        }
    }

    /// <summary>
    /// Latches the record's bucket and refreshes <see cref="Header"/>; false when the record has died. A live record is always found
    /// eventually: a key read while it was being moved gives a wrong bucket, and an unpublished record is found a moment later.
    /// </summary>
    public bool TryLatch()
    {
        int spins = 0;
        while (true)
        {
            ulong header = Volatile.Read(ref *(ulong*)Record);
            if ((header & RecordHeader.Dead) != 0)
                return false;

            Salted = HashOf(header);
            Bucket = _index.Latch(Salted);
            if (_index.FindEntry(Bucket, Address) != null)
            {
                Header = *(ulong*)Record;
                return true;
            }

            _index.Release(Bucket);
            LatchSpin.Pause(ref spins);
        }
    }

    /// <summary>
    /// Like <see cref="TryLatch"/> for a record that a snapshot still has to take; false for others. It needs no look-up in the index: a
    /// record that is alive and old under the latch was there at the flip and has not changed since, so the key that led to the bucket was
    /// its own.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryLatchOld(SnapshotRound round)
    {
        ulong header = Volatile.Read(ref *(ulong*)Record);
        if ((header & RecordHeader.Dead) != 0 || !round.IsOld(header))
            return false;

        Salted = HashOf(header);
        Bucket = _index.Latch(Salted);
        Header = Volatile.Read(ref *(ulong*)Record);
        if ((Header & RecordHeader.Dead) == 0 && round.IsOld(Header))
            return true;

        _index.Release(Bucket);
        return false;
    }

    /// <summary>Releases the latch taken by <see cref="TryLatch"/> or <see cref="TryLatchOld"/>.</summary>
    public readonly void Release() => _index.Release(Bucket);

    /// <summary>The latched record's key; its database is -1 if it was flushed.</summary>
    public readonly LatchedKey Latched(StoreSession session) => Latched(session, RecordHeader.Key(Record, Header));

    /// <summary>Like <see cref="Latched(StoreSession)"/> with a copy of the key, for changes that may move the record.</summary>
    public readonly LatchedKey Latched(StoreSession session, ReadOnlySpan<byte> key)
    {
        int physical = RecordHeader.Physical(Header);
        return new LatchedKey(session, key, Salted, _databases.LogicalOf(physical), physical, Bucket);
    }

    /// <summary>The salted hash of a record; computed without a latch, so it may be wrong and must be verified.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong HashOf(HybridLogStore store, byte* record, ulong header)
    {
        ulong hash = 0;
        if ((header & RecordHeader.BlockKey) == 0)
        {
            hash = store.Databases.Map.KeyHash.Compute(
                new ReadOnlySpan<byte>(record + RecordHeader.KeyOffset(header), RecordHeader.KeyBytes(record, header))
            );
        }
        else
        {
            BlockHeader* block = RecordHeader.KeyBlockOf(record, header);
            hash = store.Blocks.IsHeader(block) ? block->KeyHash : 0;
        }

        return store.Databases.Map.Salt(hash, RecordHeader.Physical(header));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private readonly ulong HashOf(ulong header) => HashOf(store, Record, header);
}
