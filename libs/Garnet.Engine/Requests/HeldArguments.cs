// Arguments stored outside of the receive buffer: those of one unfinished request, or the long ones of an open MULTI. Used by the session's
// thread.
using System.Numerics;
using System.Runtime.CompilerServices;
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Engine.Requests;

/// <summary>
/// Small arguments are stored contiguously in chunks of doubling size, so that nothing is ever copied again; one from
/// <see cref="BlockBytes"/> on has its own block, which the store adopts as a value without a copy. The memory belongs to the store and is
/// counted as bytes arrive, so it counts towards maxmemory; it is freed when the request is done.
/// </summary>
internal sealed class HeldArguments : IExternalArguments
{
    /// <summary>Arguments from this size on have their own block.</summary>
    public const int BlockBytes = 16 * 1024;

    // The overhead of an argument: its entry in the table.
    private static readonly int RangeBytes = Unsafe.SizeOf<ArgumentRange>();

    // A handle is a block number, or a position in units of four bytes: 2^29 of either.
    private const int BlockFlag = 1 << 29;
    private const int AlignmentBits = 2;
    private const int FirstChunkBits = 12;
    private const int FirstChunkBytes = 1 << FirstChunkBits;
    private const long MaxPosition = 1L << 31;

    // The first chunk covers positions below 4 KiB; each further one covers as many as all before it together: 2 GiB in all.
    private const int Chunks = 31 - FirstChunkBits + 1;

    // The memory of small arguments is returned to the system in steps of this size.
    private const long DiscardBytes = 2 << 20;

    private readonly HybridLogStore _store;
    private readonly List<ValueBlock> _blocks = [];
    private readonly ValueBlock[] _chunks = new ValueBlock[Chunks];
    private readonly byte[] _firstChunk = new byte[FirstChunkBytes];
    private long _used; // the next free position
    private int _receivedBytes; // bytes received of the last block
    private long _forgotten; // positions below this are not needed any more
    private long _givenBack; // and the memory below this has been returned to the system, where possible

    public HeldArguments(HybridLogStore store) => _store = store;

    /// <summary>Bytes of the request consumed so far, including headers.</summary>
    public long RequestBytes { get; set; }

    /// <summary>Memory used by the arguments.</summary>
    public long MemoryBytes { get; private set; }

    /// <summary>True when no arguments are held.</summary>
    public bool IsEmpty => _used == 0 && _blocks.Count == 0;

    /// <summary>True when a command keeps this object beyond its request, and releases it.</summary>
    public bool IsTransferred { get; set; }

    /// <summary>The block being received.</summary>
    public ValueBlock Receiving => _blocks[^1];

    /// <summary>Number of its bytes received.</summary>
    public int ReceivedBytes => _receivedBytes;

    /// <summary>False when small arguments with this many more bytes might exceed 2 GiB, the range of handles.</summary>
    public bool HasSpaceFor(long bytes) => _used + bytes + (Chunks * BlockBytes) <= MaxPosition;

    /// <inheritdoc/>
    public int Keep(ReadOnlySpan<byte> argument)
    {
        MemoryBytes += RangeBytes;
        // It occupies no position, so it must not allocate a chunk either.
        if (argument.IsEmpty)
            return 0;
        if (argument.Length >= BlockBytes)
        {
            int handle = AddBlock(argument.Length);
            argument.CopyTo(Receiving.Span);
            CountReceived(argument.Length);
            return handle;
        }

        (int chunk, int offset) = Locate(_used);
        while (SizeOf(chunk) - offset < argument.Length)
            (chunk, offset) = (chunk + 1, 0);
        argument.CopyTo(Chunk(chunk).Slice(offset));
        long position = StartOf(chunk) + offset;
        long end = (position + argument.Length + (1 << AlignmentBits) - 1) >> AlignmentBits << AlignmentBits;
        MemoryBytes += end - position;
        _used = end;
        if (chunk > 0)
            _chunks[chunk].CountArrived(offset + argument.Length);
        return (int)(position >> AlignmentBits);
    }

    /// <summary>Adds an argument that another instance holds, by a second reference to its block if it has one.</summary>
    public int Share(HeldArguments from, int handle, int length)
    {
        if (!from.TryShare(handle, out ValueBlock block))
            return Keep(from.Get(handle, length));
        _blocks.Add(block);
        _receivedBytes = length;
        MemoryBytes += length + RangeBytes;
        return BlockFlag | (_blocks.Count - 1);
    }

    /// <summary>
    /// Begins an argument that will be received into its block; returns its handle. Only address space is reserved; memory is committed as
    /// bytes arrive.
    /// </summary>
    public int BeginBlock(int length)
    {
        MemoryBytes += RangeBytes;
        return AddBlock(length);
    }

    private int AddBlock(int length)
    {
        _blocks.Add(ValueBlock.Allocate(_store, length));
        _receivedBytes = 0;
        return BlockFlag | (_blocks.Count - 1);
    }

    /// <summary>Counts bytes received into the current block.</summary>
    public void CountReceived(int bytes)
    {
        _receivedBytes += bytes;
        MemoryBytes += bytes;
        Receiving.CountArrived(_receivedBytes);
    }

    /// <inheritdoc/>
    public ReadOnlySpan<byte> Get(int handle, int length)
    {
        if ((handle & BlockFlag) != 0)
            return _blocks[handle & ~BlockFlag].Span;
        (int chunk, int offset) = Locate((long)handle << AlignmentBits);
        return Chunk(chunk).Slice(offset, length);
    }

    /// <summary>
    /// Returns another reference to an argument's block, which the caller then owns; false when the argument has no block.
    /// </summary>
    public bool TryShare(int handle, out ValueBlock block)
    {
        if ((handle & BlockFlag) == 0)
        {
            block = default;
            return false;
        }

        block = _blocks[handle & ~BlockFlag];
        block.AddReference();
        return true;
    }

    /// <summary>
    /// Releases an argument. Only the memory of chunks above 4 MiB is freed, up to this argument: earlier arguments must not be needed any
    /// more either, except those in the first 4 MiB.
    /// </summary>
    public void Release(int handle, int length)
    {
        if ((handle & BlockFlag) != 0)
        {
            _blocks[handle & ~BlockFlag].Release();
            _blocks[handle & ~BlockFlag] = default;
            return;
        }

        _forgotten = Math.Max(_forgotten, ((long)handle << AlignmentBits) + length);
        if (_forgotten - _givenBack >= DiscardBytes)
            GiveBackForgotten();
    }

    /// <summary>Frees all memory; shared blocks live on with their new owners.</summary>
    public void Release()
    {
        foreach (ValueBlock block in _blocks)
            block.Release();
        _blocks.Clear();
        if (_blocks.Capacity > FirstChunkBytes)
            _blocks.Capacity = 0;
        // Chunks that no argument fitted into were never allocated.
        for (int chunk = _used > FirstChunkBytes ? Locate(_used - 1).Chunk : 0; chunk > 0; chunk--)
        {
            _chunks[chunk].Release();
            _chunks[chunk] = default;
        }

        _used = 0;
        _forgotten = 0;
        _givenBack = 0;
        _receivedBytes = 0;
        MemoryBytes = 0;
        RequestBytes = 0;
    }

    private void GiveBackForgotten()
    {
        long upTo = _forgotten / DiscardBytes * DiscardBytes;
        (int last, int end) = Locate(upTo - 1);
        for ((int chunk, int start) = Locate(_givenBack); chunk <= last; (chunk, start) = (chunk + 1, 0))
            MemoryBytes -= _chunks[chunk].GiveBack(start, chunk == last ? end + 1 : SizeOf(chunk));
        _givenBack = upTo;
    }

    private Span<byte> Chunk(int chunk)
    {
        if (chunk == 0)
            return _firstChunk;
        if (_chunks[chunk].Length == 0)
            _chunks[chunk] = ValueBlock.Allocate(_store, SizeOf(chunk));
        return _chunks[chunk].Span;
    }

    private static (int Chunk, int Offset) Locate(long position)
    {
        int chunk = BitOperations.Log2((ulong)position | (FirstChunkBytes - 1)) - FirstChunkBits + 1;
        return (chunk, (int)(position - StartOf(chunk)));
    }

    private static long StartOf(int chunk) => chunk == 0 ? 0 : (long)FirstChunkBytes << (chunk - 1);

    private static int SizeOf(int chunk) => chunk == 0 ? FirstChunkBytes : FirstChunkBytes << (chunk - 1);
}
