// Native blocks for large values and keys: size classes carved from slabs, larger ones mapped alone. Thread-safe, lock-free but for
// carving.
using System.Numerics;

namespace Garnet.Store.Memory;

/// <summary>
/// Allocates blocks. Classes step by an eighth of a power of two, so at most an eighth is lost; pages never touched cost nothing.
/// A freed block keeps its address space in its class, and its memory for reuse: with sizes that come and go alike the next blocks take
/// what the last ones left, without the system. What is kept beyond a bound maintenance gives back, from the class that has most of it;
/// whoever frees a block, under a latch maybe, does so only when maintenance is far behind.
/// </summary>
internal sealed unsafe class BlockHeap : IDisposable
{
    /// <summary>Bytes of freed blocks kept while memory is no matter.</summary>
    public const long DefaultCachedBytes = 32L << 20;

    private const int GranuleBytes = 4096;
    private const long SlabBytes = 64L << 20;
    private const long LargestClassBytes = 4L << 20;
    private const long HeaderSize = 64;

    // How many times as much as may be kept is kept until maintenance comes by.
    private const int FarBehind = 2;
    private readonly ReservedRange _headers = new(HeaderSize << 24, HeaderSize << 16);

    // Free blocks by class: those with memory behind them, those with mere address space, and the bytes of the former. Class 0 is of
    // headers without either.
    private readonly TaggedStack[] _kept = new TaggedStack[ClassOf(LargestClassBytes) + 1];
    private readonly TaggedStack[] _bare = new TaggedStack[ClassOf(LargestClassBytes) + 1];
    private readonly long[] _keptBytes = new long[ClassOf(LargestClassBytes) + 1];
    private readonly List<nint> _slabs = [];
    private TaggedStack _unmapping;
    private readonly Lock _carving = new();
    private byte* _slab;
    private long _slabUsed = SlabBytes;
    private long _headerCount;
    private long _countedBytes;
    private long _cachedBytes;
    private IdleLevel _idle;
    private long _maxCachedBytes = DefaultCachedBytes;
    private long _liveBlocks;
    private long _liveMapped;
    private bool _closed;

    /// <summary>Bytes of blocks in use and of freed ones kept for reuse.</summary>
    public long Bytes => Volatile.Read(ref _countedBytes) + Volatile.Read(ref _cachedBytes);

    /// <summary>Bytes of blocks in use.</summary>
    public long UsedBytes => Volatile.Read(ref _countedBytes);

    /// <summary>Bytes of freed blocks kept for reuse.</summary>
    public long CachedBytes => Volatile.Read(ref _cachedBytes);

    /// <summary>How much memory of freed blocks is kept for reuse at most, once maintenance has been there.</summary>
    public long MaxCachedBytes
    {
        get => Volatile.Read(ref _maxCachedBytes);
        set => Volatile.Write(ref _maxCachedBytes, value);
    }

    /// <summary>Blocks somebody refers to.</summary>
    public long LiveBlocks => Volatile.Read(ref _liveBlocks);

    /// <summary>Whether there are blocks so large that each is mapped by itself: more than 4 MiB.</summary>
    public bool HasMapped => Volatile.Read(ref _liveMapped) != 0;

    /// <summary>
    /// A block with one reference, <paramref name="length"/> bytes in use and room for at least <paramref name="capacity"/>; its bytes are
    /// not cleared.
    /// </summary>
    public BlockHeader* Allocate(int length, long capacity)
    {
        capacity = Math.Max(GranuleBytes, Math.Max(length, capacity));
        int sizeClass = capacity <= LargestClassBytes ? ClassOf(capacity) : 0;
        uint index = _kept[sizeClass].Pop(_headers.Base, HeaderSize);
        index = index != 0 ? index : _bare[sizeClass].Pop(_headers.Base, HeaderSize);
        BlockHeader* header;
        if (index == 0)
        {
            header = NewHeader();
            header->SizeClass = sizeClass;
        }
        else
        {
            header = (BlockHeader*)(_headers.Base + (index * HeaderSize));
        }

        if (sizeClass == 0)
        {
            UnmapFreed();
            Interlocked.Increment(ref _liveMapped);
            header->Capacity = RoundUp(capacity);
            header->Data = VirtualMemory.Reserve(header->Capacity);
            VirtualMemory.Commit(header->Data, header->Capacity);
            VirtualMemory.PreferLargePages(header->Data, header->Capacity);
        }
        else if (header->Data == null)
        {
            header->Capacity = BytesOf(sizeClass);
            header->Data = Carve(header->Capacity);
        }

        // What a freed block kept counted becomes ours again.
        if (header->CountedBytes != 0)
        {
            Uncache(header);
            Interlocked.Add(ref _countedBytes, header->CountedBytes);
        }

        Interlocked.Increment(ref _liveBlocks);
        header->Length = length;
        header->KeyHash = 0;
        Volatile.Write(ref header->References, 1);
        return header;
    }

    /// <summary>Counts the first <paramref name="bytes"/> of a block as memory in use (they were, or are about to be, touched).</summary>
    public void Count(BlockHeader* header, long bytes)
    {
        long rounded = Math.Min(header->Capacity, RoundUp(bytes));
        if (rounded > header->CountedBytes)
        {
            Interlocked.Add(ref _countedBytes, rounded - header->CountedBytes);
            header->CountedBytes = rounded;
        }
    }

    /// <summary>
    /// Gives the memory behind a part of a block that is mapped by itself back to the system; returns how much that was. Only by the one
    /// owner of a block without other references.
    /// </summary>
    public long GiveBack(BlockHeader* header, long start, long end)
    {
        start = RoundUp(start);
        end = Math.Min(end, header->CountedBytes) / GranuleBytes * GranuleBytes;
        if (!IsMapped(header) || start >= end)
        {
            return 0;
        }

        VirtualMemory.Renew(header->Data + start, end - start);
        header->CountedBytes -= end - start;
        Interlocked.Add(ref _countedBytes, start - end);
        return end - start;
    }

    /// <summary>
    /// Takes a reference unless the block is free. The header may belong to another value by now: the caller verifies afterwards.
    /// </summary>
    public static bool TryReference(BlockHeader* header)
    {
        while (true)
        {
            int references = Volatile.Read(ref header->References);
            if (references == 0)
            {
                return false;
            }

            if (Interlocked.CompareExchange(ref header->References, references + 1, references) == references)
            {
                return true;
            }
        }
    }

    /// <summary>True when an address lies in the table of headers, so that a torn pointer is never followed.</summary>
    public bool IsHeader(BlockHeader* header)
    {
        long offset = (byte*)header - _headers.Base;
        return offset > 0 && offset % HeaderSize == 0 && offset / HeaderSize <= Volatile.Read(ref _headerCount);
    }

    /// <summary>Whether a block is so large that it is mapped by itself.</summary>
    public static bool IsMapped(BlockHeader* header) => header->SizeClass == 0;

    /// <summary>Gives the address space of freed blocks that were mapped alone back to the system.</summary>
    public void UnmapFreed()
    {
        uint index;
        while ((index = _unmapping.Pop(_headers.Base, HeaderSize)) != 0)
        {
            var header = (BlockHeader*)(_headers.Base + (index * HeaderSize));
            VirtualMemory.Release(header->Data, header->Capacity);
            header->Data = null;
            _bare[0].Push(_headers.Base, HeaderSize, index);
        }
    }

    /// <summary>
    /// Gives the memory of kept blocks back while it is more than may be kept, always from the class that has most. Called by maintenance.
    /// </summary>
    public void Trim() => TrimTo(MaxCachedBytes);

    /// <summary>
    /// Gives the memory of blocks back that were kept for long though there was more of it than those that came took, as <see cref="Trim"/>
    /// does. Called by maintenance.
    /// </summary>
    public void GiveBackIdle(long nowMs)
    {
        long idle = _idle.Note(CachedBytes, nowMs);
        if (idle > 0)
        {
            TrimTo(Math.Max(0, CachedBytes - idle));
        }
    }

    /// <summary>Gives a reference back; the last one frees the block.</summary>
    public void Release(BlockHeader* header)
    {
        int left = Interlocked.Decrement(ref header->References);
        if (left == 0)
        {
            Free(header);
        }
        else if (left < 0)
        {
            Environment.FailFast("A block of the store was released more often than it was referenced.");
        }
    }

    /// <summary>
    /// Frees what can be freed: blocks still referred to (sends under way) keep the heap's memory until the process ends.
    /// </summary>
    public void Dispose()
    {
        _closed = true;
        UnmapFreed();
        if (LiveBlocks != 0)
        {
            return;
        }

        foreach (nint slab in _slabs)
        {
            VirtualMemory.Release((byte*)slab, SlabBytes);
        }

        _headers.Dispose();
    }

    /// <summary>
    /// The class whose blocks hold at least so many bytes; classes are 4 KiB apart up to 64 KiB, then an eighth of a power of two.
    /// </summary>
    internal static int ClassOf(long bytes)
    {
        long granules = (bytes + GranuleBytes - 1) / GranuleBytes;
        if (granules <= 16)
        {
            return (int)granules;
        }

        int exponent = BitOperations.Log2((ulong)(granules - 1));
        return 16 + ((exponent - 4) * 8) + (int)((granules - 1) >> (exponent - 3)) - 7;
    }

    /// <summary>The bytes of a class's blocks.</summary>
    internal static long BytesOf(int sizeClass)
    {
        if (sizeClass <= 16)
        {
            return (long)sizeClass * GranuleBytes;
        }

        int exponent = 4 + ((sizeClass - 17) / 8);
        long eighths = 9 + ((sizeClass - 17) % 8);
        return (eighths << (exponent - 3)) * GranuleBytes;
    }

    private uint IndexOf(BlockHeader* header) => (uint)(((byte*)header - _headers.Base) / HeaderSize);

    private static long RoundUp(long bytes) => (bytes + GranuleBytes - 1) / GranuleBytes * GranuleBytes;

    private void Free(BlockHeader* header)
    {
        Interlocked.Decrement(ref _liveBlocks);
        long counted = header->CountedBytes;
        Interlocked.Add(ref _countedBytes, -counted);
        if (header->SizeClass == 0)
        {
            Interlocked.Decrement(ref _liveMapped);
            // Unmapping takes the system long when there is much behind it, and a latch may be held: maintenance does it, or the next to
            // map.
            header->CountedBytes = 0;
            _unmapping.Push(_headers.Base, HeaderSize, IndexOf(header));
            return;
        }

        if (counted == 0)
        {
            _bare[header->SizeClass].Push(_headers.Base, HeaderSize, IndexOf(header));
        }
        else if (Volatile.Read(ref _cachedBytes) + counted > MaxCachedBytes * FarBehind || _closed)
        {
            GiveBack(header);
            _bare[header->SizeClass].Push(_headers.Base, HeaderSize, IndexOf(header));
        }
        else
        {
            Interlocked.Add(ref _cachedBytes, counted);
            Interlocked.Add(ref _keptBytes[header->SizeClass], counted);
            _kept[header->SizeClass].Push(_headers.Base, HeaderSize, IndexOf(header));
        }
    }

    private void TrimTo(long most)
    {
        while (Volatile.Read(ref _cachedBytes) > most)
        {
            int fullest = 0;
            for (int sizeClass = 1; sizeClass < _keptBytes.Length; sizeClass++)
            {
                fullest = Volatile.Read(ref _keptBytes[sizeClass]) > Volatile.Read(ref _keptBytes[fullest]) ? sizeClass : fullest;
            }

            uint index = _kept[fullest].Pop(_headers.Base, HeaderSize);
            if (index == 0)
            {
                return;
            }

            var header = (BlockHeader*)(_headers.Base + (index * HeaderSize));
            Uncache(header);
            GiveBack(header);
            _bare[fullest].Push(_headers.Base, HeaderSize, index);
        }
    }

    private void Uncache(BlockHeader* header)
    {
        Interlocked.Add(ref _cachedBytes, -header->CountedBytes);
        Interlocked.Add(ref _keptBytes[header->SizeClass], -header->CountedBytes);
    }

    private static void GiveBack(BlockHeader* header)
    {
        VirtualMemory.Renew(header->Data, header->Capacity);
        header->CountedBytes = 0;
    }

    private BlockHeader* NewHeader()
    {
        long index = Interlocked.Increment(ref _headerCount);
        _headers.Ensure((index + 1) * HeaderSize);
        return (BlockHeader*)(_headers.Base + (index * HeaderSize));
    }

    // A lock, although a latch may be held: address space is carved once per block that ever existed at the same time, never when one is
    // reused.
    private byte* Carve(long bytes)
    {
        lock (_carving)
        {
            if (_slabUsed + bytes > SlabBytes)
            {
                _slab = VirtualMemory.Reserve(SlabBytes);
                _slabs.Add((nint)_slab);
                _slabUsed = 0;
            }

            byte* data = _slab + _slabUsed;
            _slabUsed += bytes;
            VirtualMemory.Commit(data, bytes);
            return data;
        }
    }
}
