// The bounded pool of images between the threads that produce them and the one that writes them out. Images are added by any thread under
// latches; one thread takes them out.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Streams;
using Garnet.Store.Collections.Trees;
using Garnet.Store.Memory;
using Garnet.Store.Records;
using Garnet.Store.Tiering;

namespace Garnet.Store.Snapshots;

/// <summary>
/// Images are copied unchanged into chunks, one open chunk per epoch slot, so that adding one takes no atomic write; blocks are referenced.
/// Full chunks go through a lock-free stack, as their order does not matter: each key occurs once. The limit is enforced by asking before a
/// command's first latch (<see cref="HasSpace"/>); a command that was admitted always finds a chunk, because more address space than the
/// limit is reserved.
/// </summary>
internal sealed unsafe class SnapshotBuffer : ISnapshotSink, IDisposable
{
    /// <summary>Size of a chunk.</summary>
    public const int ChunkBytes = 64 * 1024;

    // What admitted commands may use beyond the limit; address space only.
    private const long SpareBytes = 1L << 30;
    private const int MaxSlots = 4096;

    // A chunk whose images keep this much memory elsewhere is passed on before it is full: writers must not wait for memory held by an open
    // chunk, which in turn waits for more images.
    private const int MaxHeldBytes = 128 * 1024;
    private const int TreeBytes = 16 * 1024;
    private readonly HybridLogStore _store;
    private readonly byte* _base;
    private readonly long _reservedBytes;
    private readonly uint _lastChunk;
    private readonly long _limitBytes;
    private readonly uint[] _open = new uint[MaxSlots];
    private readonly Lock _waiting = new();
    private TaskCompletionSource? _room;
    private bool _isOver;
    private TaggedStack _free;
    private TaggedStack _full;
    private long _chunksMade;
    private long _chunksUsed;
    private long _blockBytes;
    private long _walkedBlockBytes;
    private long _peakBytes;
    private bool _hasOverrun;

    /// <summary>A pool limited to about <paramref name="limitBytes"/>, at least four chunks.</summary>
    public SnapshotBuffer(HybridLogStore store, long limitBytes)
    {
        _store = store;
        _limitBytes = Math.Max(limitBytes, 4 * ChunkBytes);
        _reservedBytes = ((_limitBytes + SpareBytes) / ChunkBytes * ChunkBytes) + ChunkBytes;
        _lastChunk = (uint)(_reservedBytes / ChunkBytes) - 1;
        _base = VirtualMemory.Reserve(_reservedBytes);
    }

    /// <summary>
    /// Size of the chunks in use and of the blocks that writers have replaced. Blocks found by the walker are still the store's own memory,
    /// unless they are written; they limit only the walk (<see cref="HasSpaceToWalk"/>), since one long value must not keep writers waiting.
    /// </summary>
    public long UsedBytes => (Volatile.Read(ref _chunksUsed) * ChunkBytes) + Volatile.Read(ref _blockBytes);

    /// <summary>Peak of the bytes in use.</summary>
    public long PeakBytes => Volatile.Read(ref _peakBytes);

    /// <summary>Whether the walk may continue: it leaves most of the space to writers, as long as there is something to take out.</summary>
    public bool HasSpaceToWalk =>
        _full.IsEmpty || (UsedBytes <= _limitBytes / 4 && Volatile.Read(ref _walkedBlockBytes) <= _limitBytes / 4);

    /// <summary>The limit.</summary>
    public long LimitBytes => _limitBytes;

    /// <summary>True once even the spare capacity was used up and an image was lost: the snapshot is unusable.</summary>
    public bool HasOverrun => Volatile.Read(ref _hasOverrun);

    /// <inheritdoc/>
    public void OnFirstWrite(in SnapshotImage image) => Add(image, isWalked: false);

    /// <inheritdoc/>
    public void OnWalk(in SnapshotImage image) => Add(image, isWalked: true);

    /// <inheritdoc/>
    public bool HasSpace(long bytes) => UsedBytes + bytes <= _limitBytes;

    /// <inheritdoc/>
    public Task WaitForSpaceAsync()
    {
        lock (_waiting)
        {
            if (_isOver || HasSpace(_limitBytes / 4))
                return Task.CompletedTask;

            _room ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _room.Task;
        }
    }

    /// <summary>
    /// Wakes writers waiting for space once a quarter of it is free. Called periodically by the thread that takes images out.
    /// </summary>
    public void ReleaseWaiters()
    {
        if (Volatile.Read(ref _room) is null || !HasSpace(_limitBytes / 4))
            return;

        lock (_waiting)
        {
            _room?.TrySetResult();
            _room = null;
        }
    }

    /// <summary>Takes a full chunk; its images are owned by the caller until <see cref="SnapshotChunk.Return"/>.</summary>
    public bool TryTake(out SnapshotChunk chunk)
    {
        uint index = _full.Pop(_base, ChunkBytes);
        chunk = index == 0 ? default : new SnapshotChunk(this, index, _base + ((long)index * ChunkBytes));
        return index != 0;
    }

    /// <summary>
    /// Call after the snapshot's end, when no more images are added: chunks that are not full count as full, and all waiters are released.
    /// </summary>
    public void Close()
    {
        for (int slot = 0; slot < _open.Length; slot++)
        {
            if (_open[slot] != 0)
            {
                _full.Push(_base, ChunkBytes, _open[slot]);
                _open[slot] = 0;
            }
        }

        lock (_waiting)
        {
            _isOver = true;
            _room?.TrySetResult();
            _room = null;
        }
    }

    /// <summary>Frees the memory and the references of images that were not taken. The pool must not be used any more.</summary>
    public void Dispose()
    {
        Close();
        while (TryTake(out SnapshotChunk taken))
            taken.Return();

        // Chunk by chunk, since releasing much at once would block the system's other work on this process's memory.
        long made = Math.Min(_chunksMade, _lastChunk);
        for (long chunk = 1; chunk <= made; chunk++)
            VirtualMemory.GiveBack(_base + (chunk * ChunkBytes), ChunkBytes);

        VirtualMemory.Release(_base, _reservedBytes);
    }

    internal void Return(uint index)
    {
        Interlocked.Decrement(ref _chunksUsed);
        if ((long)index * ChunkBytes > _limitBytes)
        {
            // Memory beyond the limit is only temporary and not kept.
            byte* chunk = _base + ((long)index * ChunkBytes);
            VirtualMemory.Renew(chunk, ChunkBytes);
        }

        _free.Push(_base, ChunkBytes, index);
    }

    internal ValueBlock BlockOf(nint token) => ValueBlock.FromToken(_store, token);

    internal void ReleaseBlock(nint token, bool isWalked)
    {
        if (ColdLocator.IsLocator(token))
        {
            _store.Tier!.Segments.Unpin(new ColdLocator(token));
        }
        else if (token != 0)
        {
            ValueBlock block = BlockOf(token);
            Interlocked.Add(ref isWalked ? ref _walkedBlockBytes : ref _blockBytes, -CountedBytes(block));
            block.Release();
        }
    }

    internal void ReleaseTree(nint token)
    {
        if (token != 0)
            CollectionImage.ReleaseTree(_store, token);
    }

    internal CollectionImage OpenTree(RecordType type, ReadOnlySpan<byte> value, nint token) =>
        CollectionImage.FromTree(_store, type, value, token);

    internal StreamView OpenStream(nint token) => new(_store.Trees, (TreeSnapshot*)token);

    private void Add(in SnapshotImage image, bool isWalked)
    {
        ImageHeader header = default;
        header.IsWalked = isWalked;
        RecordInfo info = image.Info;
        header.Database = (short)image.Database;
        header.Type = info.Type;
        header.Access = info.Access;
        header.ExpiresAtMs = info.ExpiresAtMs;
        SlidingExpiry sliding = image.Sliding;
        header.Slides = sliding.Slides;
        ReadOnlySpan<byte> key = image.Key;
        bool isCold = image.IsCold;
        ulong hash = isCold ? image.Hash : 0;
        ReadOnlySpan<byte> value = isCold ? MemoryMarshal.AsBytes(new ReadOnlySpan<ulong>(in hash)) : image.Value;
        header.KeyLength = key.Length;
        header.ValueLength = value.Length;
        if (image.TryReferenceKeyBlock(out ValueBlock keyBlock))
        {
            key = default;
            header.KeyBlock = Count(keyBlock, isWalked);
        }

        if (isCold)
        {
            // The place of the value, where it stays until the image has been taken.
            header.ValueBlock = (nint)image.Locator.Bits;
            _store.Tier!.Segments.Pin(image.Locator);
        }
        else if (image.TryReferenceBlock(out ValueBlock valueBlock))
        {
            value = default;
            header.ValueBlock = Count(valueBlock, isWalked);
        }

        if (!isCold)
            image.TryReferenceTree(out header.Tree);
        header.Bytes = ((sizeof(ImageHeader) + key.Length + value.Length + 7) & ~7) + (sliding.Slides ? sizeof(SlidingExpiry) : 0);
        byte* place = Reserve(image.Slot, header.Bytes);
        if (place == null)
        {
            Lose(header);
            return;
        }

        *(ImageHeader*)place = header;
        key.CopyTo(new Span<byte>(place + sizeof(ImageHeader), key.Length));
        value.CopyTo(new Span<byte>(place + sizeof(ImageHeader) + key.Length, value.Length));
        if (sliding.Slides)
            *(SlidingExpiry*)(place + header.Bytes - sizeof(SlidingExpiry)) = sliding;

        if (header.ValueBlock != 0 || header.KeyBlock != 0 || header.Tree != 0)
        {
            Hold(
                image.Slot,
                (header.ValueBlock != 0 ? header.ValueLength : 0)
                    + (header.KeyBlock != 0 ? header.KeyLength : 0)
                    + (header.Tree != 0 ? TreeBytes : 0L)
            );
        }
    }

    // Counts what the open chunk's last image keeps alive.
    private void Hold(int slot, long bytes)
    {
        uint index = _open[slot];
        var chunk = (ChunkHeader*)(_base + ((long)index * ChunkBytes));
        chunk->HeldBytes += bytes;
        if (chunk->HeldBytes < MaxHeldBytes)
            return;

        _full.Push(_base, ChunkBytes, index);
        _open[slot] = 0;
    }

    // Reserves space for an image in the slot's open chunk, or in a new one.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private byte* Reserve(int slot, int bytes)
    {
        uint index = _open[slot];
        var chunk = (ChunkHeader*)(_base + ((long)index * ChunkBytes));
        if (index == 0 || chunk->UsedBytes + bytes > ChunkBytes)
        {
            chunk = Renew(slot, index);
            if (chunk == null)
                return null;
        }

        byte* place = (byte*)chunk + chunk->UsedBytes;
        chunk->UsedBytes += bytes;
        return place;
    }

    private ChunkHeader* Renew(int slot, uint full)
    {
        if (full != 0)
        {
            _full.Push(_base, ChunkBytes, full);
            _open[slot] = 0;
        }

        uint index = _free.Pop(_base, ChunkBytes);
        if (index == 0)
        {
            long made = Interlocked.Increment(ref _chunksMade);
            if (made > _lastChunk)
                return null;

            index = (uint)made;
            VirtualMemory.Commit(_base + (made * ChunkBytes), ChunkBytes);
        }

        Interlocked.Increment(ref _chunksUsed);
        UpdatePeak();
        var chunk = (ChunkHeader*)(_base + ((long)index * ChunkBytes));
        chunk->UsedBytes = sizeof(ChunkHeader);
        chunk->HeldBytes = 0;
        _open[slot] = index;
        return chunk;
    }

    private nint Count(ValueBlock block, bool isWalked)
    {
        Interlocked.Add(ref isWalked ? ref _walkedBlockBytes : ref _blockBytes, CountedBytes(block));
        UpdatePeak();
        return block.Token;
    }

    // A single block, however large, counts for at most a quarter of the limit: it exists in any case, and writers of other keys would gain
    // nothing by waiting for it.
    private long CountedBytes(ValueBlock block) => Math.Min(block.Length, _limitBytes / 4);

    // Two threads may race for the maximum; the figure is informational.
    private void UpdatePeak()
    {
        long used = UsedBytes;
        if (used > Volatile.Read(ref _peakBytes))
            Volatile.Write(ref _peakBytes, used);
    }

    private void Lose(in ImageHeader header)
    {
        Volatile.Write(ref _hasOverrun, true);
        ReleaseBlock(header.KeyBlock, header.IsWalked);
        ReleaseBlock(header.ValueBlock, header.IsWalked);
        ReleaseTree(header.Tree);
    }
}
