// Values that are on disk, or on their way there. Thread-safe; a key's own state changes under the latch of its bucket.
using System.Diagnostics;
using Garnet.Store.Index;
using Garnet.Store.Maintenance;
using Garnet.Store.Records;

namespace Garnet.Store.Tiering;

/// <summary>
/// The disk region of the hybrid log. A value leaves memory in two steps, an epoch apart, as in FASTER's read-only region: it is copied
/// into a buffer and its index entry marked, while the record stays; when the buffer is on disk, and no command runs any more that began
/// before the mark, the record becomes a stub. Whoever needs the value in between takes the mark away, and the move has not happened. So
/// a failed write loses nothing, and a command that saw no mark keeps the value until it ends.
/// </summary>
internal sealed unsafe class ColdTier : IDisposable
{
    private const long MaxLeavingBytes = 8L << 20;
    private const int LeavingShare = 64;
    private const int MovesPerTurn = 16;

    // Without more values a buffer is written after this time.
    private const int MaxFillMs = 10;

    // After so many failed writes in a row nothing leaves for a while.
    private const int MaxFailures = 8;
    private const int FailurePauseMs = 10_000;

    private readonly HybridLogStore _store;
    private readonly Lock _gate = new();
    private readonly ITierDevice _device;
    private readonly Stack<WriteBuffer> _spare = new();
    private readonly Queue<WriteBuffer> _full = new();
    private readonly Queue<WriteBuffer> _writing = new();

    // Which move a marked record belongs to: a record that was marked, needed and marked again belongs to the later one.
    private readonly Dictionary<long, ColdLocator> _leaving = [];
    private readonly List<WriteBuffer> _all = [];
    private Action? _firstLeaving;
    private WriteBuffer? _open;
    private WriteBuffer? _ready;
    private int _nextMove;
    private int _openMoves;
    private int _segment = -1;
    private long _leavingBytes;
    private int _relocating;
    private int _failures;
    private long _failedAtMs;
    private bool _hasNoBuffer;
    private bool _isStopped;

    private ColdTier(HybridLogStore store, TierOptions options, ITierDevice device, Action? firstLeaving)
    {
        _store = store;
        _firstLeaving = firstLeaving;
        _device = device;
        Options = options;
        Segments = new TierSegments(options.SegmentBytes, (int)Math.Min(options.MaxBytes / options.SegmentBytes, 1 << 20));
        Loads = new TierLoads(store, this, device);
        Mover = new TierMover(store, this, device);
    }

    /// <summary>Lets values of a store that are not used be moved to a disk, from now on. Once, before the store is used.</summary>
    /// <param name="store">The store, which disposes of the tier.</param>
    /// <param name="options">Sizes.</param>
    /// <param name="device">The disk; disposed with the tier.</param>
    /// <param name="firstLeaving">
    /// Called once, when the first value is about to leave: from then on commands have to ask for values.
    /// </param>
    public static ColdTier Open(HybridLogStore store, TierOptions options, ITierDevice device, Action? firstLeaving = null) =>
        store.Tier = new ColdTier(store, options, device, firstLeaving);

    /// <summary>Sizes.</summary>
    public TierOptions Options { get; }

    /// <summary>Counters.</summary>
    public TierStatistics Statistics { get; } = new();

    /// <summary>Reads that are under way.</summary>
    public TierLoads Loads { get; }

    /// <summary>The thread that writes and cleans.</summary>
    public TierMover Mover { get; }

    /// <summary>The space on disk. Changed by the tier alone.</summary>
    public TierSegments Segments { get; }

    /// <summary>Bytes of memory that values on their way to disk will free.</summary>
    public long LeavingBytes => Volatile.Read(ref _leavingBytes);

    /// <summary>Bytes of memory that buffers take.</summary>
    public long BufferBytes => ((long)_all.Count * Options.BufferBytes) + Loads.Bytes;

    /// <summary>Whether values may leave at all: the disk is not full, and writes do not fail.</summary>
    public bool IsTaking => !_isStopped && !Segments.IsFull && !IsFailing;

    /// <summary>Whether as much is on its way to disk as may be.</summary>
    public bool IsBusy => Volatile.Read(ref _hasNoBuffer) || LeavingBytes > LeavingLimit;

    /// <summary>
    /// Whether more can leave soon: something is on its way, segments are being cleaned, or flushed keys are being removed. So that nothing
    /// leaves now does not mean that memory is exhausted.
    /// </summary>
    public bool IsBehind =>
        IsTaking ? IsBusy || LeavingBytes > 0 || Segments.IsShort : !_isStopped && !IsFailing && _store.Databases.Map.HasFlushed;

    /// <summary>Whether writes fail, so that nothing leaves for now.</summary>
    public bool IsFailing =>
        Volatile.Read(ref _failures) >= MaxFailures && Environment.TickCount64 - Volatile.Read(ref _failedAtMs) < FailurePauseMs;

    private long LeavingLimit => Math.Max(2L * Options.BufferBytes, Math.Min(MaxLeavingBytes, _store.Budget.LimitBytes / LeavingShare));

    /// <summary>
    /// The first step: copies a value, and marks its entry. Under the latch of its bucket. Returns the bytes of memory that this will free;
    /// 0 when the value may not leave, or not now.
    /// </summary>
    public long TryLeave(long* entry, byte* record, ulong header, ulong hash)
    {
        if (IndexEntry.IsCold(*entry) || !IsTaking || IsBusy || !ColdRecord.MayLeave(record, header, Options))
            return 0;
        ReadOnlySpan<byte> value = RecordHeader.InlineValue(record, header);
        long address = IndexEntry.AddressOf(*entry);
        lock (_gate)
        {
            if (!TryPlace(value.Length, isReserved: false))
            {
                // Until one of those that are on their way has arrived; where there are none, a segment is missing.
                _hasNoBuffer = _ready is not null || _writing.Count > 0 || _full.Count > 0;
                return 0;
            }

            if (_firstLeaving is { } first)
            {
                // Before the first mark: a command that is let in later asks for its values.
                _firstLeaving = null;
                first();
            }

            ColdLocator to = _open!.Add(value, hash, (uint)(header & RecordHeader.FormMask), Segments.GenerationOf(_open.Segment));
            _open.Moves.Add(new WriteBuffer.Move(hash, address, RecordHeader.Access(header), default, to));
            _open.LeavingBytes += value.Length;
            _leavingBytes += value.Length;
            _leaving[address] = to;
        }

        *entry |= IndexEntry.Cold;
        return value.Length;
    }

    /// <summary>
    /// A value that is on its way to disk is needed: it stays, and a command that runs now keeps it until it ends. Under the latch of its
    /// bucket.
    /// </summary>
    public void Keep(long* entry)
    {
        lock (_gate)
            _leaving.Remove(IndexEntry.AddressOf(*entry));
        *entry &= ~IndexEntry.Cold;
    }

    /// <summary>No record refers to an object any more. Under the latch of the key's bucket.</summary>
    public void Release(ColdLocator locator)
    {
        Segments.Remove(locator);
        Statistics.Dropped();
    }

    /// <summary>Space for an object that the cleaner moves, whose stub is latched; false when there is none now.</summary>
    internal bool TryRelocate(ulong hash, ColdLocator from, ReadOnlySpan<byte> value, uint form)
    {
        lock (_gate)
        {
            if (!TryPlace(value.Length, isReserved: true))
                return false;
            ColdLocator to = _open!.Add(value, hash, form, Segments.GenerationOf(_open.Segment));
            _open.Moves.Add(new WriteBuffer.Move(hash, 0, 0, from, to));
            Interlocked.Increment(ref _relocating);
            return true;
        }
    }

    /// <summary>
    /// The second step for some of the values that have been written, if any may be taken: their records become stubs. The session is in a
    /// batch, without a latch. The memory becomes the session's to use again.
    /// </summary>
    /// <param name="session">The session.</param>
    /// <param name="bytes">How many bytes are no longer on their way.</param>
    /// <returns>False when there was nothing to do.</returns>
    public bool Publish(StoreSession session, out long bytes)
    {
        bytes = 0;
        WriteBuffer buffer;
        int first;
        int count;
        lock (_gate)
        {
            if (!TryPrepare())
                return false;
            buffer = _ready!;
            first = _nextMove;
            count = Math.Min(MovesPerTurn, buffer.Moves.Count - first);
            _nextMove += count;
            _openMoves += count;
        }

        for (int i = first; i < first + count; i++)
        {
            _store.Index.Prefetch(buffer.Moves[i].Hash);
            if (buffer.Moves[i].IsLeaving)
                _store.Log.Prefetch(buffer.Moves[i].Address);
        }

        for (int i = first; i < first + count; i++)
            bytes += PublishOne(session, buffer, buffer.Moves[i]);
        lock (_gate)
        {
            _openMoves -= count;
            _leavingBytes -= bytes;
            buffer.LeavingBytes -= bytes;
            if (_nextMove == buffer.Moves.Count && _openMoves == 0)
                Recycle(buffer);
        }

        return true;
    }

    /// <summary>Begins to write what is full, or old enough. Called by the mover.</summary>
    /// <param name="isForced">Whether it need not be old.</param>
    internal bool BeginWrites(bool isForced = false)
    {
        List<WriteBuffer>? begun = null;
        lock (_gate)
        {
            if (_open is { Moves.Count: > 0 } open && (isForced || Environment.TickCount64 - open.BegunAtMs >= MaxFillMs))
                Seal();
            while (_full.TryDequeue(out WriteBuffer? buffer))
            {
                (begun ??= []).Add(buffer);
                _writing.Enqueue(buffer);
            }
        }

        foreach (WriteBuffer buffer in begun ?? [])
        {
            int bytes = buffer.Complete(_device.Alignment);
            // All marks of the buffer were set before.
            buffer.Epoch = _store.Epochs.Advance();
            Statistics.Written(bytes);
            _device.Write(buffer.Position, buffer.Memory, bytes, result => EndWrite(buffer, result));
        }

        return begun is not null;
    }

    /// <summary>How far publishing has come; the same as before when nobody publishes.</summary>
    internal (WriteBuffer? Buffer, int Moves) Progress
    {
        get
        {
            lock (_gate)
                return (_ready ?? (_writing.TryPeek(out WriteBuffer? next) ? next : null), _nextMove);
        }
    }

    /// <summary>Whether the device has a write that it has not answered.</summary>
    internal bool IsWriting
    {
        get
        {
            lock (_gate)
                return _writing.Any(static buffer => buffer.Result < 0);
        }
    }

    /// <summary>Whether objects that the cleaner moves are not in their new places yet.</summary>
    internal bool IsRelocating => Volatile.Read(ref _relocating) != 0;

    /// <summary>Whether something is being written, or waits for it.</summary>
    internal bool IsMoving
    {
        get
        {
            lock (_gate)
                return _ready is not null || _writing.Count > 0 || _full.Count > 0 || _open is { Moves.Count: > 0 };
        }
    }

    /// <summary>Frees segments in which nothing is alive, and names one that should be cleaned; -1 for none.</summary>
    /// <param name="mayDelete">Whether its objects may be deleted where too much is alive.</param>
    /// <param name="deletes">Whether they should be.</param>
    internal int ChooseToClean(bool mayDelete, out bool deletes)
    {
        lock (_gate)
        {
            deletes = mayDelete && Segments.IsFull;
            if (!Segments.IsShort && !deletes)
                return -1;
            Segments.FreeDead();
            return Segments.IsShort || deletes ? Segments.Choose(deletes) : -1;
        }
    }

    /// <summary>After cleaning: what is alive in the segment still could not be read, and its space is not used again.</summary>
    internal void RetireUnlessDead(int segment)
    {
        lock (_gate)
        {
            if (Segments.LiveOf(segment) != 0)
                Segments.Retire(segment);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Volatile.Write(ref _isStopped, true);
        Mover.Dispose();
        Loads.Dispose();
        _device.Dispose();
        foreach (WriteBuffer buffer in _all)
            buffer.Dispose();
    }

    private void EndWrite(WriteBuffer buffer, int result)
    {
        if (result != 0)
        {
            Volatile.Write(ref _failedAtMs, Environment.TickCount64);
            Interlocked.Increment(ref _failures);
            Statistics.WriteFailed(result);
        }
        else
        {
            Volatile.Write(ref _failures, 0);
        }

        buffer.Result = result;
        Mover.Wake();
        // Writers that wait for memory may publish what it frees.
        _store.Budget.ReleaseWaiters();
    }

    // A buffer with space for a value, under the lock.
    private bool TryPlace(int length, bool isReserved)
    {
        if (_open is not null && _open.Fits(length))
            return true;
        if (_open is not null)
            Seal();
        // The last buffer is the cleaner's: without it nothing might ever be cleaned.
        if (_spare.Count <= (isReserved ? 0 : 1) && _all.Count >= Options.Buffers - (isReserved ? 0 : 1))
            return false;
        int needed = (TierObject.BytesFor(length) + _device.Alignment - 1) & -_device.Alignment;
        if (_segment < 0 || Segments.SegmentBytes - Segments.WrittenOf(_segment) < needed)
        {
            int next = Segments.Take(isReserved);
            if (next < 0)
                return false;
            if (_segment >= 0)
                Segments.Close(_segment);
            _segment = next;
        }

        _open = TakeBuffer();
        int written = Segments.WrittenOf(_segment);
        _open.Begin(_segment, Segments.PositionOf(_segment) + written, Segments.SegmentBytes - written);
        return _open.Fits(length);
    }

    private WriteBuffer TakeBuffer()
    {
        if (_spare.TryPop(out WriteBuffer? spare))
            return spare;
        var buffer = new WriteBuffer(Options.BufferBytes, _device.Alignment);
        _all.Add(buffer);
        return buffer;
    }

    private void Seal()
    {
        WriteBuffer open = _open!;
        _open = null;
        if (open.Moves.Count == 0)
        {
            _spare.Push(open);
            return;
        }

        Segments.BeginWrite(open.Segment, open.AlignedUsed(_device.Alignment));
        _full.Enqueue(open);
        Mover.Wake();
    }

    // Whether there is a buffer that has been written and may be published, under the lock.
    private bool TryPrepare()
    {
        if (_ready is not null)
            return _nextMove < _ready.Moves.Count;
        if (!_writing.TryPeek(out WriteBuffer? next) || next.Result < 0 || !_store.Epochs.IsPast(next.Epoch))
            return false;
        _ready = _writing.Dequeue();
        _nextMove = 0;
        return true;
    }

    private void Recycle(WriteBuffer buffer)
    {
        Debug.Assert(buffer.LeavingBytes == 0, "Bytes that leave were counted wrongly.");
        if (buffer.Result > 0)
        {
            Segments.Retire(buffer.Segment);
            if (_segment == buffer.Segment)
                _segment = -1;
        }

        Segments.EndWrite(buffer.Segment);
        _ready = null;
        _hasNoBuffer = false;
        _spare.Push(buffer);
    }

    private long PublishOne(StoreSession session, WriteBuffer buffer, in WriteBuffer.Move move)
    {
        long bucket = _store.Index.Latch(move.Hash);
        try
        {
            if (move.IsLeaving)
                return PublishLeaving(session, buffer, move, bucket);
            Interlocked.Decrement(ref _relocating);
            byte* stub = ColdRecord.FindStub(_store, bucket, move.Hash, move.From);
            if (stub != null && buffer.Result == 0)
            {
                Segments.Remove(move.From);
                Segments.Add(move.To);
                ColdRecord.Redirect(stub, move.To);
            }

            return 0;
        }
        finally
        {
            _store.Index.Release(bucket);
        }
    }

    // Returns the bytes that are no longer on their way.
    private int PublishLeaving(StoreSession session, WriteBuffer buffer, in WriteBuffer.Move move, long bucket)
    {
        ReadOnlySpan<byte> value = buffer.ValueAt(move.To);
        bool isMine;
        lock (_gate)
        {
            isMine = _leaving.TryGetValue(move.Address, out ColdLocator to) && to == move.To;
            if (isMine)
                _leaving.Remove(move.Address);
        }

        long* entry = isMine ? _store.Index.FindEntry(bucket, move.Address) : null;
        if (entry == null || !IndexEntry.IsCold(*entry))
            return value.Length;
        byte* record = _store.Log.Resolve(move.Address);
        ulong header = *(ulong*)record;
        // The record that was to leave is gone, and a stub has taken its place.
        if (ColdRecord.IsStub(record, header))
            return value.Length;
        bool isUnchanged =
            buffer.Result == 0
            && ColdRecord.MayLeave(record, header, Options)
            && RecordHeader.Access(header) == move.Access
            && PageWalk.HashOf(_store, record, header) == move.Hash
            && RecordHeader.InlineValue(record, header).SequenceEqual(value);
        if (!isUnchanged)
        {
            *entry &= ~IndexEntry.Cold;
            Statistics.Kept();
            return value.Length;
        }

        // The walk of a snapshot would not find it where it goes.
        _store.Snapshots.Round?.BeforeChange(record, session.Slot);
        Segments.Add(move.To);
        Statistics.Moved(move.To.Bytes);
        ColdRecord.BecomeStub(session, entry, move.To);
        return value.Length;
    }
}
