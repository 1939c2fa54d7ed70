// Arguments kept outside of the receive buffer: those of one unfinished request, or the long ones of an open MULTI. Used by the session's
// thread.
using System.Numerics;
using System.Runtime.CompilerServices;
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Server.Sessions;

/// <summary>
/// Small arguments lie side by side in chunks that double in size, so that nothing is ever copied again; one from <see cref="BlockBytes"/>
/// on has a block of its own, which the store takes over as a value without a copy. The memory is the store's and is counted as bytes
/// arrive, so it counts for maxmemory; it goes back when the request is done.
/// </summary>
internal sealed class HeldArguments : IExternalArguments
{
    /// <summary>Arguments from this size on have a block of their own.</summary>
    public const int BlockBytes = 16 * 1024;

    // What an argument costs beside its bytes: its place in the table.
    private static readonly int RangeBytes = Unsafe.SizeOf<ArgumentRange>();

    // A handle is the number of a block, or a position in units of four bytes: 2^29 of either.
    private const int BlockFlag = 1 << 29;
    private const int AlignmentBits = 2;
    private const int FirstChunkBits = 12;
    private const int FirstChunkBytes = 1 << FirstChunkBits;
    private const long MaxPosition = 1L << 31;

    // The first chunk covers positions below 4 KiB; each further one as many as all before it together: 2 GiB in all.
    private const int Chunks = 31 - FirstChunkBits + 1;

    // The memory of small arguments goes back to the system in steps of this size.
    private const long ForgetBytes = 2 << 20;

    private readonly HybridLogStore _store;
    private readonly List<ValueBlock> _blocks = [];
    private readonly ValueBlock[] _chunks = new ValueBlock[Chunks];
    private readonly byte[] _firstChunk = new byte[FirstChunkBytes];
    private long _used; // the next free position
    private int _receivedBytes; // of the last block
    private long _forgotten; // positions below this are not needed any more
    private long _givenBack; // and the memory below this has gone back, where it could

    public HeldArguments(HybridLogStore store) => _store = store;

    /// <summary>Bytes of the request that were consumed so far, headers included.</summary>
    public long RequestBytes { get; set; }

    /// <summary>Memory that the arguments take.</summary>
    public long MemoryBytes { get; private set; }

    /// <summary>True when nothing is held.</summary>
    public bool IsEmpty => _used == 0 && _blocks.Count == 0;

    /// <summary>True when a command keeps it beyond its request, and releases it.</summary>
    public bool IsTakenOver { get; set; }

    /// <summary>The block that is being received.</summary>
    public ValueBlock Receiving => _blocks[^1];

    /// <summary>How many bytes of it are there.</summary>
    public int ReceivedBytes => _receivedBytes;

    /// <summary>False when small arguments with so many bytes might pass 2 GiB, which is as far as handles reach.</summary>
    public bool HasRoomFor(long bytes) => _used + bytes + (Chunks * BlockBytes) <= MaxPosition;

    /// <inheritdoc/>
    public int Keep(ReadOnlySpan<byte> argument)
    {
        MemoryBytes += RangeBytes;
        // It takes no place, so it must not make a chunk either.
        if (argument.IsEmpty)
            return 0;
        if (argument.Length >= BlockBytes)
        {
            int handle = AddBlock(argument.Length);
            argument.CopyTo(Receiving.Span);
            NoteReceived(argument.Length);
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

    /// <summary>Keeps an argument that others hold already, by another reference to its block if it has one.</summary>
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
    /// Begins an argument that will be received into its block; gives its handle. Only address space is taken, memory follows with the
    /// bytes.
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

    /// <summary>Counts bytes that have arrived in the block that is being received.</summary>
    public void NoteReceived(int bytes)
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
    /// Gives another reference to the block of an argument, which the caller then owns; false when the argument has none of its own.
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
    /// Gives up an argument. Memory goes back of chunks above 4 MiB alone, up to this argument: what was kept before it must not be needed
    /// any more either, but for what lies in the first 4 MiB.
    /// </summary>
    public void Forget(int handle, int length)
    {
        if ((handle & BlockFlag) != 0)
        {
            _blocks[handle & ~BlockFlag].Release();
            _blocks[handle & ~BlockFlag] = default;
            return;
        }

        _forgotten = Math.Max(_forgotten, ((long)handle << AlignmentBits) + length);
        if (_forgotten - _givenBack >= ForgetBytes)
            GiveBackForgotten();
    }

    /// <summary>Gives all memory back; blocks that were shared live on with their new owners.</summary>
    public void Release()
    {
        foreach (ValueBlock block in _blocks)
            block.Release();
        _blocks.Clear();
        if (_blocks.Capacity > FirstChunkBytes)
            _blocks.Capacity = 0;
        // Chunks that no argument fitted into were never made.
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
        long upTo = _forgotten / ForgetBytes * ForgetBytes;
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
