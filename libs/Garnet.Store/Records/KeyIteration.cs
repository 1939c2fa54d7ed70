// SCAN and RANDOMKEY over the index. Passed to the session inside a batch together with the read path; used by its thread.

using Garnet.Store.Index;
using Garnet.Store.Log;
using Garnet.Store.Memory;

namespace Garnet.Store.Records;

/// <summary>
/// Copies the keys of one bucket under its latch, or references them if they are large, then passes them to the visitor without the latch.
/// What only generic methods call is internal rather than private: otherwise it would not be compiled ahead of time.
/// </summary>
internal sealed unsafe class KeyIteration(ReadPath path, HybridLogStore store)
{
    private readonly HashIndex _index = store.Index;
    private readonly RecordLog _log = store.Log;
    private byte[] _keys = new byte[1024];
    private Item[] _items = new Item[32];
    private int _count;
    private int _used;

    public long Scan<TVisitor>(int database, long cursor, int buckets, ref TVisitor visitor)
        where TVisitor : struct, IKeyVisitor, allows ref struct
    {
        ulong next = (ulong)cursor;
        try
        {
            for (int i = 0; i < buckets; i++)
            {
                int depth = CopyBucket(database, next, visitor.SeesExpired);
                for (int k = 0; k < _count; k++)
                    visitor.Visit(KeyOf(_items[k]), _items[k].Info);

                // Increment the cursor with its bits reversed, starting at the bucket's own depth: the cursor then remains valid when a
                // bucket is split or merged later.
                next |= ~((1UL << depth) - 1);
                next = Reverse(Reverse(next) + 1);
                if (next == 0)
                    break;
            }
        }
        finally
        {
            Reset();
        }

        return (long)next;
    }

    public bool TryRandomKey<TVisitor>(int database, ref TVisitor visitor)
        where TVisitor : struct, IKeyVisitor, allows ref struct
    {
        // As in Valkey, an expired key that is chosen is removed and another one is chosen; only a limited number of times, since there may
        // be many expired keys.
        const int mostExpired = 10_000;
        if (visitor.SeesExpired && store.Holds.Expired())
            return TryHeldKey(database, ref visitor);

        try
        {
            for (int expired = 0; TryChoose(database, visitor.SeesExpired && expired < mostExpired, out Item item); expired++)
            {
                visitor.Visit(KeyOf(item), item.Info);
                if (!path.Session.Expiry.IsPast(item.Info.ExpiresAtMs))
                    return true;
            }
        }
        finally
        {
            Reset();
        }

        return false;
    }

    // While expired keys must be kept, one of them is returned if there is no other, as in Valkey.
    private bool TryHeldKey<TVisitor>(int database, ref TVisitor visitor)
        where TVisitor : struct, IKeyVisitor, allows ref struct
    {
        if (!TryChoose(database, seesExpired: false, out Item item) && !TryChoose(database, seesExpired: true, out item))
            return false;

        visitor.Visit(KeyOf(item), new RecordInfo(item.Info.Type, -1, item.Info.Access));
        Reset();
        return true;
    }

    internal bool TryChoose(int database, bool seesExpired, out Item item)
    {
        item = default;
        if (store.Databases.KeyCount(database) == 0)
            return false;

        // A bucket is accepted with probability proportional to its number of keys (rejection sampling), so every key is equally likely.
        const int mostTries = 256;
        const int fullBucket = 16;
        for (int i = 0; i < mostTries; i++)
        {
            CopyBucket(database, (ulong)Random.Shared.NextInt64(), seesExpired);
            int pick = Random.Shared.Next(Math.Max(fullBucket, _count));
            if (pick < _count)
            {
                item = _items[pick];
                return true;
            }
        }

        return TryChooseNext(database, seesExpired, out item);
    }

    // For few keys in a large index: the first one after a random position.
    private bool TryChooseNext(int database, bool seesExpired, out Item item)
    {
        ulong start = (ulong)Random.Shared.NextInt64(_index.Count);
        ulong cursor = start;
        bool hasWrapped = false;
        item = default;
        while (true)
        {
            int depth = CopyBucket(database, cursor, seesExpired);
            if (_count > 0)
            {
                item = _items[Random.Shared.Next(_count)];
                return true;
            }

            if (hasWrapped && Reverse(cursor) >= Reverse(start))
                return false;

            cursor |= ~((1UL << depth) - 1);
            cursor = Reverse(Reverse(cursor) + 1);
            hasWrapped |= cursor == 0;
        }
    }

    internal int CopyBucket(int database, ulong hash, bool seesExpired)
    {
        Reset();
        int physical = store.Databases.Map.PhysicalOf(database);
        using var latch = new BriefLatch(path.Session, hash);
        byte* bucket = _index.Bucket(latch.Bucket);
        int depth = BucketWord.Depth(*BucketLayout.Word(bucket));
        while (true)
        {
            for (int i = 0; i < BucketLayout.Entries; i++)
            {
                long entry = ((long*)bucket)[i];
                if (entry != 0)
                    Copy(_log.Resolve(IndexEntry.AddressOf(entry)), physical, seesExpired);
            }

            uint next = BucketWord.Overflow(*BucketLayout.Word(bucket));
            if (next == 0)
                return depth;

            bucket = _index.OverflowBucket(next);
        }
    }

    // Releases the references to large keys.
    internal void Reset()
    {
        for (int i = 0; i < _count; i++)
        {
            if (_items[i].Block != 0)
                store.Blocks.Release((BlockHeader*)_items[i].Block);
        }

        _count = 0;
        _used = 0;
    }

    internal ReadOnlySpan<byte> KeyOf(Item item)
    {
        var block = (BlockHeader*)item.Block;
        return block != null ? new ReadOnlySpan<byte>(block->Data, block->Length) : _keys.AsSpan(item.Offset, item.Length);
    }

    private void Copy(byte* record, int physical, bool seesExpired)
    {
        ulong header = *(ulong*)record;
        long expires = RecordHeader.ExpiresAt(record, header);
        if (RecordHeader.Physical(header) != physical || (!seesExpired && path.Session.Expiry.IsPast(expires)))
            return;

        if (_count == _items.Length)
            Array.Resize(ref _items, _count * 2);

        if ((header & RecordHeader.BlockKey) != 0)
        {
            BlockHeader* block = RecordHeader.KeyBlockOf(record, header);
            Interlocked.Increment(ref block->References);
            _items[_count++] = new Item(0, 0, (nint)block, new RecordInfo(header, expires));
            return;
        }

        ReadOnlySpan<byte> key = RecordHeader.Key(record, header);
        if (_keys.Length - _used < key.Length)
            Array.Resize(ref _keys, Math.Max(_keys.Length * 2, _used + key.Length));

        key.CopyTo(_keys.AsSpan(_used));
        _items[_count++] = new Item(_used, key.Length, 0, new RecordInfo(header, expires));
        _used += key.Length;
    }

    internal static ulong Reverse(ulong bits)
    {
        bits = ((bits >> 1) & 0x5555555555555555) | ((bits & 0x5555555555555555) << 1);
        bits = ((bits >> 2) & 0x3333333333333333) | ((bits & 0x3333333333333333) << 2);
        bits = ((bits >> 4) & 0x0F0F0F0F0F0F0F0F) | ((bits & 0x0F0F0F0F0F0F0F0F) << 4);
        return System.Buffers.Binary.BinaryPrimitives.ReverseEndianness(bits);
    }

    internal readonly record struct Item(int Offset, int Length, nint Block, RecordInfo Info);
}
