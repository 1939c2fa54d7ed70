// Native blocks for large values and keys: size classes carved from slabs, larger ones mapped individually. Thread-safe; lock-free except
// for carving.
using System.Numerics;

namespace Garnet.Store.Memory;

/// <summary>
/// Allocates blocks. Size classes are an eighth of a power of two apart, so at most an eighth is wasted; untouched pages cost nothing. A
/// freed block keeps its address space in its class, and its memory for reuse: when sizes recur, new blocks reuse that memory without a
/// system call. Memory kept beyond a limit is returned by maintenance, from the class that has the most; a thread that frees a block,
/// possibly under a latch, returns memory itself only when maintenance is far behind.
/// </summary>
internal sealed unsafe class BlockHeap : IDisposable
{
    /// <summary>Bytes of freed blocks kept while memory is not tight.</summary>
    public const long DefaultCachedBytes = 32L << 20;

    private const int GranuleBytes = 4096;
    private const long SlabBytes = 64L << 20;
    private const long LargestClassBytes = 4L << 20;
    private const long HeaderSize = 64;

    // Up to this multiple of the limit is kept until maintenance runs.
    private const int FarBehind = 2;

    // Blocks whose memory is returned together: neighbours take one system call, each of which interrupts all processors.
    private const int TrimmedTogether = 256;
    private const long TrimmedTogetherBytes = 4L << 20;
    private readonly ReservedRange _headers = new(HeaderSize << 24, HeaderSize << 16);

    // Free blocks by class: those backed by memory, those with address space only, and the total bytes of the former. Class 0 holds headers
    // with neither.
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

    /// <summary>Limit on the memory of freed blocks kept for reuse, enforced by maintenance.</summary>
    public long MaxCachedBytes
    {
        get => Volatile.Read(ref _maxCachedBytes);
        set => Volatile.Write(ref _maxCachedBytes, value);
    }

    /// <summary>Number of blocks with references.</summary>
    public long LiveBlocks => Volatile.Read(ref _liveBlocks);

    /// <summary>Whether any block is so large (more than 4 MiB) that it is mapped individually.</summary>
    public bool HasMapped => Volatile.Read(ref _liveMapped) != 0;

    /// <summary>
    /// A block with one reference, <paramref name="length"/> bytes in use and a capacity of at least <paramref name="capacity"/>; its bytes
    /// are not zeroed.
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

        // The memory that the freed block kept counts as in use again.
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

    /// <summary>Counts the first <paramref name="bytes"/> of a block as memory in use (already touched, or about to be).</summary>
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
    /// Returns part of the memory of an individually mapped block to the system; returns the number of bytes. Only for the sole owner of a
    /// block without other references.
    /// </summary>
    public long GiveBack(BlockHeader* header, long start, long end)
    {
        start = RoundUp(start);
        end = Math.Min(end, header->CountedBytes) / GranuleBytes * GranuleBytes;
        if (!IsMapped(header) || start >= end)
            return 0;

        VirtualMemory.Renew(header->Data + start, end - start);
        header->CountedBytes -= end - start;
        Interlocked.Add(ref _countedBytes, start - end);
        return end - start;
    }

    /// <summary>
    /// Adds a reference unless the block is free. The header may have been reused for another value, so the caller must verify afterwards.
    /// </summary>
    public static bool TryReference(BlockHeader* header)
    {
        while (true)
        {
            int references = Volatile.Read(ref header->References);
            if (references == 0)
                return false;

            if (Interlocked.CompareExchange(ref header->References, references + 1, references) == references)
                return true;
        }
    }

    /// <summary>True when an address is within the table of headers, so that a torn pointer is never followed.</summary>
    public bool IsHeader(BlockHeader* header)
    {
        long offset = (byte*)header - _headers.Base;
        return offset > 0 && offset % HeaderSize == 0 && offset / HeaderSize <= Volatile.Read(ref _headerCount);
    }

    /// <summary>Whether a block is so large that it is mapped individually.</summary>
    public static bool IsMapped(BlockHeader* header) => header->SizeClass == 0;

    /// <summary>Returns the address space of freed, individually mapped blocks to the system.</summary>
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
    /// Returns memory of kept blocks while it exceeds the limit, always from the class that has the most. Called by maintenance.
    /// </summary>
    public void Trim() => TrimTo(MaxCachedBytes);

    /// <summary>
    /// Returns memory of kept blocks that exceeded the need for new ones for a long time, in the same way as <see cref="Trim"/>. Called by
    /// maintenance.
    /// </summary>
    public void GiveBackIdle(long nowMs)
    {
        long idle = _idle.Note(CachedBytes, nowMs);
        if (idle > 0)
            TrimTo(Math.Max(0, CachedBytes - idle));
    }

    /// <summary>Releases a reference; the last one frees the block.</summary>
    public void Release(BlockHeader* header)
    {
        int left = Interlocked.Decrement(ref header->References);
        if (left == 0)
            Free(header);
        else if (left < 0)
            Environment.FailFast("A block was released more often than it was referenced.");
    }

    /// <summary>
    /// Frees the heap's memory if no block is referenced; otherwise (sends in progress) the memory is kept until the process ends.
    /// </summary>
    public void Dispose()
    {
        _closed = true;
        UnmapFreed();
        if (LiveBlocks != 0)
            return;

        foreach (nint slab in _slabs)
            VirtualMemory.Release((byte*)slab, SlabBytes);

        _headers.Dispose();
    }

    /// <summary>
    /// The smallest class whose blocks hold that many bytes; classes are 4 KiB apart up to 64 KiB, then an eighth of a power of two.
    /// </summary>
    internal static int ClassOf(long bytes)
    {
        long granules = (bytes + GranuleBytes - 1) / GranuleBytes;
        if (granules <= 16)
            return (int)granules;

        int exponent = BitOperations.Log2((ulong)(granules - 1));
        return 16 + ((exponent - 4) * 8) + (int)((granules - 1) >> (exponent - 3)) - 7;
    }

    /// <summary>The block size of a class.</summary>
    internal static long BytesOf(int sizeClass)
    {
        if (sizeClass <= 16)
            return (long)sizeClass * GranuleBytes;

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
            // Unmapping much memory takes long, and a latch may be held: it is left to maintenance or to the next thread that maps a block.
            header->CountedBytes = 0;
            _unmapping.Push(_headers.Base, HeaderSize, IndexOf(header));
            return;
        }

        if (counted == 0)
        {
            _bare[header->SizeClass].Push(_headers.Base, HeaderSize, IndexOf(header));
            return;
        }

        Interlocked.Add(ref _keptBytes[header->SizeClass], counted);
        _kept[header->SizeClass].Push(_headers.Base, HeaderSize, IndexOf(header));
        long limit = _closed ? 0 : MaxCachedBytes;
        if (Interlocked.Add(ref _cachedBytes, counted) > limit * FarBehind)
            TrimTo((limit * FarBehind) - Math.Min(limit, TrimmedTogetherBytes));
    }

    private void TrimTo(long most)
    {
        Span<nint> data = stackalloc nint[TrimmedTogether];
        Span<uint> indexes = stackalloc uint[TrimmedTogether];
        while (Volatile.Read(ref _cachedBytes) > most)
        {
            int fullest = FullestClass();
            int count = PopKept(fullest, most, data, indexes);
            if (count == 0)
                return;

            ReturnMemory(data[..count], indexes[..count], BytesOf(fullest));
            foreach (uint index in indexes[..count])
                _bare[fullest].Push(_headers.Base, HeaderSize, index);
        }
    }

    private int FullestClass()
    {
        int fullest = 0;
        for (int sizeClass = 1; sizeClass < _keptBytes.Length; sizeClass++)
            fullest = Volatile.Read(ref _keptBytes[sizeClass]) > Volatile.Read(ref _keptBytes[fullest]) ? sizeClass : fullest;

        return fullest;
    }

    // Takes blocks of a class until the limit is kept, or a batch is full.
    private int PopKept(int sizeClass, long most, Span<nint> data, Span<uint> indexes)
    {
        int count = 0;
        while (
            count < data.Length
            && (count == 0 || (Volatile.Read(ref _cachedBytes) > most && count * BytesOf(sizeClass) < TrimmedTogetherBytes))
        )
        {
            uint index = _kept[sizeClass].Pop(_headers.Base, HeaderSize);
            if (index == 0)
                break;

            var header = (BlockHeader*)(_headers.Base + (index * HeaderSize));
            Uncache(header);
            header->CountedBytes = 0;
            data[count] = (nint)header->Data;
            indexes[count++] = index;
        }

        return count;
    }

    private static void ReturnMemory(Span<nint> data, Span<uint> indexes, long bytes)
    {
        data.Sort(indexes);
        int first = 0;
        for (int i = 1; i <= data.Length; i++)
        {
            if (i == data.Length || data[i] != data[i - 1] + bytes)
            {
                VirtualMemory.Renew((byte*)data[first], (i - first) * bytes);
                first = i;
            }
        }
    }

    private void Uncache(BlockHeader* header)
    {
        Interlocked.Add(ref _cachedBytes, -header->CountedBytes);
        Interlocked.Add(ref _keptBytes[header->SizeClass], -header->CountedBytes);
    }

    private BlockHeader* NewHeader()
    {
        long index = Interlocked.Increment(ref _headerCount);
        _headers.Ensure((index + 1) * HeaderSize);
        return (BlockHeader*)(_headers.Base + (index * HeaderSize));
    }

    // Takes a lock although a latch may be held: only when the number of blocks reaches a new maximum, never when a block is reused.
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
