// Walks the records of pages while others write. Each walker has its own; the pages are shared.
using Garnet.Store.Index;
using Garnet.Store.Log;
using Garnet.Store.Memory;
using Garnet.Store.Records;

namespace Garnet.Store.Maintenance;

/// <summary>
/// Steps from header to header. A header may change at any time, so what a walk sees is a hint: <see cref="TryLatch"/> makes sure, under
/// the latch of the record's bucket.
/// </summary>
internal unsafe ref struct PageWalk(HybridLogStore store, long page)
{
    private readonly HashIndex _index = store.Index;
    private readonly RecordLog _log = store.Log;
    private readonly DatabaseMap _databases = store.DatabaseMap;
    private int _next;

    /// <summary>The record stepped to.</summary>
    public long Address { get; private set; }

    /// <summary>Its header as of the step.</summary>
    public ulong Header { get; private set; }

    /// <summary>Its memory.</summary>
    public readonly byte* Record => _log.Resolve(Address);

    /// <summary>The bucket that <see cref="TryLatch"/> latched.</summary>
    public long Bucket { get; private set; }

    /// <summary>The hash by which the index knows the record.</summary>
    public ulong Salted { get; private set; }

    /// <summary>Where the walk goes on; may be set to take up an earlier walk of the same page.</summary>
    public int NextUnit
    {
        readonly get => _next;
        set => _next = value;
    }

    /// <summary>Steps to the next live record; false at the end of the page, or of what is written of it.</summary>
    public bool MoveNext()
    {
        while (_next < _log.PageUnits)
        {
            Address = _log.AddressOf(page, _next);
            Header = Volatile.Read(ref *(ulong*)Record);
            int units = RecordHeader.Units(Header);
            if (units == 0)
            {
                return false;
            }

            _next += units;
            if ((Header & RecordHeader.Dead) == 0)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>
    /// Has the processor fetch the bucket that <see cref="TryLatch"/> will latch: in a walk each is somewhere else, and waiting for it is
    /// most of a walk's time.
    /// </summary>
    public readonly void PrefetchBucket()
    {
        ulong header = Volatile.Read(ref *(ulong*)Record);
        if ((header & RecordHeader.Dead) == 0)
        {
            _index.Prefetch(HashOf(header));
        }
    }

    /// <summary>
    /// Latches the record's bucket and refreshes <see cref="Header"/>; false when the record died meanwhile. While it is live it will be
    /// found: a key read while it was being moved gives a wrong bucket, a record not yet published is found a moment later.
    /// </summary>
    public bool TryLatch()
    {
        int spins = 0;
        while (true)
        {
            ulong header = Volatile.Read(ref *(ulong*)Record);
            if ((header & RecordHeader.Dead) != 0)
            {
                return false;
            }

            Salted = HashOf(header);
            Bucket = _index.Latch(Salted);
            if (_index.Names(Bucket, Address))
            {
                Header = *(ulong*)Record;
                return true;
            }

            _index.Release(Bucket);
            HashIndex.Pause(ref spins);
        }
    }

    /// <summary>Releases what <see cref="TryLatch"/> latched.</summary>
    public readonly void Release() => _index.Release(Bucket);

    /// <summary>A handle on the latched record; the database -1 stands for one that was flushed.</summary>
    public readonly RecordHandle Handle(StoreSession session) => Handle(session, RecordHeader.Key(Record, Header));

    /// <summary>As <see cref="Handle(StoreSession)"/> with a copy of the key, for changes that may move the record.</summary>
    public readonly RecordHandle Handle(StoreSession session, ReadOnlySpan<byte> key)
    {
        int physical = RecordHeader.Physical(Header);
        return new RecordHandle(session, key, Salted, _databases.LogicalOf(physical), physical, Bucket);
    }

    /// <summary>The hash by which the index knows a record; without a latch, so it may be wrong, and whoever uses it makes sure.</summary>
    public static ulong HashOf(HybridLogStore store, byte* record, ulong header)
    {
        ulong hash = 0;
        if ((header & RecordHeader.BlockKey) == 0)
        {
            hash = store.DatabaseMap.Hash(
                new ReadOnlySpan<byte>(record + RecordHeader.KeyOffset(header), RecordHeader.KeyBytes(record, header))
            );
        }
        else
        {
            BlockHeader* block = RecordHeader.KeyBlockOf(record, header);
            hash = store.Blocks.IsHeader(block) ? block->KeyHash : 0;
        }

        return store.DatabaseMap.Salt(hash, RecordHeader.Physical(header));
    }

    private readonly ulong HashOf(ulong header) => HashOf(store, Record, header);
}
