// One caller's access to the store: epoch entry, latches held until the command ends, reads and writes. Used by one thread at a time.
using System.Diagnostics;
using System.Runtime.CompilerServices;
using Garnet.Store.Changes;
using Garnet.Store.Collections;
using Garnet.Store.Epochs;
using Garnet.Store.Eviction;
using Garnet.Store.Index;
using Garnet.Store.Records;

namespace Garnet.Store;

/// <summary>
/// A session on the store. A batch is EnterBatch, then for each command its reads and opens followed by <see cref="EndCommand"/>, then
/// LeaveBatch. Latches taken by <see cref="Open(ReadOnlySpan{byte}, ulong)"/> stay held until <see cref="EndCommand"/>; while any is held
/// the session must not wait, and every key read or opened must be among the latched ones (several keys: <see cref="Latch"/> first; keys
/// not known in advance: <see cref="BeginExclusive"/>).
/// </summary>
internal sealed class StoreSession : IDisposable
{
    private const int CommandsPerClockRead = 16;
    private const string OutsideOfBatch = "The session was used outside of a batch.";
    private const int CreatedPerReport = 8;
    private readonly EpochTable _epochs;
    private readonly HashIndex _index;
    private readonly DatabaseMap _databases;
    private HeldLatches _held;
    private ReadPath _reads;
    private EpochSlot? _slot;
    private long _slotEpoch;
    private long _millisecondEnds;
    private int _commandsToClock;
    private bool _leavesWithExclusive;
    private SessionBarrierState _barrier;
    private DetachedBlocks? _detached;
    private SessionAccesses _accesses;
    private SessionChanges _changes;
    private SessionExpiry _expiry;

    internal StoreSession(HybridLogStore store)
    {
        Store = store;
        _epochs = store.Epochs;
        _index = store.Index;
        _databases = store.Databases.Map;
        _accesses = new SessionAccesses(store);
        _held = store.Growth.NoLatches;
        _reads = null!;
    }

    /// <summary>The logical database of keys without an explicit one.</summary>
    public int Database { get; set; }

    /// <summary>
    /// The store's time in Unix milliseconds: read at <see cref="EnterBatch()"/>, again every 16 commands, and by
    /// <see cref="RefreshTime"/>. It never changes within a command.
    /// </summary>
    public long NowMs { get; private set; }

    /// <summary>What has expired for this session.</summary>
    public ref SessionExpiry Expiry => ref _expiry;

    /// <summary>How this session records that keys are used.</summary>
    public ref SessionAccesses Accesses => ref _accesses;

    /// <summary>What this session has changed.</summary>
    public ref SessionChanges Changes => ref _changes;

    /// <summary>Reads without changing anything; to be used inside a batch.</summary>
    public ReadPath Reads => _reads;

    /// <summary>The memory that writes may take; to be used inside a batch.</summary>
    public MemoryCredit Memory => _slot!.Memory!;

    /// <summary>Whether this session holds the keyspace alone, or visits one that does.</summary>
    public ref SessionBarrierState Barrier => ref _barrier;

    /// <summary>True between <see cref="EnterBatch"/> and <see cref="LeaveBatch"/>.</summary>
    public bool IsInBatch => _slot is not null;

    /// <summary>The store.</summary>
    public HybridLogStore Store { get; }

    internal EpochSlot Slot => _slot!;

    /// <summary>The detached values being built.</summary>
    internal DetachedBlocks Detached => _detached ??= new DetachedBlocks(Store);

    /// <summary>Enters the epoch. No await may happen before <see cref="LeaveBatch"/>.</summary>
    public void EnterBatch()
    {
        if (_slot is not null)
            throw new InvalidOperationException("The session is already in a batch.");

        EnterSlot();
        RefreshTime();
    }

    /// <summary>
    /// Like <see cref="EnterBatch()"/> for a batch of one command: the clock is not read again until the last millisecond read is over.
    /// </summary>
    /// <param name="timestamp">
    /// The Stopwatch timestamp of the entry, which was used for that check; the caller may need it for its own measurements.
    /// </param>
    public void EnterBatch(out long timestamp)
    {
        if (_slot is not null)
            throw new InvalidOperationException("The session is already in a batch.");

        EnterSlot();
        timestamp = Stopwatch.GetTimestamp();
        if (timestamp >= _millisecondEnds || Store.Clock.IsStopped)
        {
            NowMs = _expiry.StopsClock ? 0 : Store.Clock.ReadMs(timestamp, out _millisecondEnds);
            _expiry.Follow(NowMs);
        }

        _accesses.Refresh();
        _commandsToClock = CommandsPerClockRead;
    }

    /// <summary>
    /// Releases the command's latches, or the keyspace that it holds; refreshes the epoch, yields to a barrier, does pending index growth.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void EndCommand()
    {
        _held.ReleaseAll();
        if (--_commandsToClock <= 0 || _epochs.Global != _slotEpoch || (uint)(_changes.Created + CreatedPerReport) > 2 * CreatedPerReport)
            EndCommandSlow();
    }

    /// <summary>
    /// Leaves the epoch and releases everything that a command that threw may still hold: latches, the barrier, and detached values.
    /// </summary>
    public void LeaveBatch()
    {
        if (_detached is { Count: > 0 })
            _detached.DiscardAll();

        if (_barrier.Depth != 0)
        {
            // Normally the commands have ended by themselves before this, so only an exception leads here.
            _barrier.Depth = 0;
            _barrier.EndsWithCommand = false;
            _epochs.LowerBarrier();
        }

        EndCommand();
        LeaveSlot(_slot ?? throw new InvalidOperationException("The session is not in a batch."));
    }

    /// <summary>Reads the clock now; for use between commands, after a long one.</summary>
    public void RefreshTime()
    {
        NowMs = _expiry.StopsClock ? 0 : Store.Clock.ReadMs();
        _expiry.Follow(NowMs);
        _accesses.Refresh();
        _commandsToClock = CommandsPerClockRead;
    }

    /// <summary>The seeded hash of a key, the same in all databases.</summary>
    public ulong Hash(ReadOnlySpan<byte> key) => _databases.KeyHash.Compute(key);

    /// <summary>Prefetches the index bucket of a hash.</summary>
    public void PrefetchBucket(ulong hash) => _index.Prefetch(_databases.Salt(hash, _databases.PhysicalOf(Database)));

    /// <summary>
    /// Latches the buckets of several keys in index order before any of them is accessed; afterwards
    /// <see cref="Open(ReadOnlySpan{byte}, ulong)"/> and reads of these keys use the held latches. Must come before any other latching of
    /// the command (or transaction).
    /// </summary>
    /// <param name="keys">The keys; any may be named twice.</param>
    /// <param name="mayAdd">Whether so many keys might be added, for which the index is then made large enough beforehand.</param>
    public void Latch(ReadOnlySpan<KeyReference> keys, bool mayAdd = true)
    {
        Debug.Assert(IsInBatch, OutsideOfBatch);
        if (_barrier.Depth == 0)
            _held.AcquireAll(keys, _databases, mayAdd);
    }

    /// <summary>
    /// Latches a key of the current database and returns its record, or its absence. Held until <see cref="EndCommand"/>. An expired record
    /// is removed first (and its removal passed to the sink), or stays, unseen, while <see cref="HybridLogStore.Holds"/> says so.
    /// </summary>
    public RecordHandle Open(ReadOnlySpan<byte> key, ulong hash) => Open(Database, key, hash);

    /// <summary>
    /// Like <see cref="Open(ReadOnlySpan{byte}, ulong)"/> for another logical database; the hash must have been computed for that database.
    /// </summary>
    public RecordHandle Open(int database, ReadOnlySpan<byte> key, ulong hash)
    {
        RecordHandle handle = OpenExpired(database, key, hash);
        ulong header = handle.Latched.Header;
        if ((header & RecordHeader.Expiry) != 0)
            handle.Latched.Expire(_expiry.NowMs);

        if (handle.Exists && (RecordHeader.Access(header) & _accesses.Mask) != _accesses.Stamp && _accesses.Touches)
            handle.Usage.Touch();

        return handle;
    }

    /// <summary>
    /// Like <see cref="Open(int, ReadOnlySpan{byte}, ulong)"/> for a key that will be deleted or replaced whether it has expired or not: an
    /// expired record is still present. Does not count as an access.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public RecordHandle OpenExpired(int database, ReadOnlySpan<byte> key, ulong hash)
    {
        Debug.Assert(IsInBatch, OutsideOfBatch);
        int physical = _databases.PhysicalOf(database);
        ulong salted = _databases.Salt(hash, physical);
        long bucket = _barrier.Depth != 0 ? _index.Locate(salted) : _held.Acquire(salted);
        return new RecordHandle(this, key, salted, database, physical, bucket);
    }

    /// <summary>
    /// From here to <see cref="EndExclusive"/> this session runs exclusively: no other is inside a command, no latch is needed, any key may
    /// be accessed. Nests. May be called inside or outside a batch, but not with latches held. Waits for other sessions' commands to end,
    /// in attempts of half a millisecond.
    /// </summary>
    /// <exception cref="KeyspaceBusyException">Another session holds the keyspace for long, and this one may be its guest.</exception>
    public void BeginExclusive()
    {
        if (_barrier.Depth++ != 0)
            return;

        if (_held.Count != 0)
        {
            _barrier.Depth = 0;
            throw new InvalidOperationException("A session that holds latches cannot become exclusive.");
        }

        _leavesWithExclusive = _slot is null;
        if (_slot is not null)
            LeaveSlot(_slot);

        if (!_epochs.TryRaiseBarrier(this, _barrier.MayBeGuest))
        {
            _barrier.Depth = 0;
            if (!_leavesWithExclusive)
                EnterSlot();

            throw new KeyspaceBusyException();
        }

        EnterSlot();
        if (_leavesWithExclusive)
            RefreshTime();
    }

    /// <summary>
    /// As <see cref="BeginExclusive"/>, inside a batch, until the command ends: <see cref="EndCommand"/> gives the keyspace back as it
    /// releases latches. What already runs exclusively goes on as it is.
    /// </summary>
    /// <exception cref="KeyspaceBusyException">As for <see cref="BeginExclusive"/>.</exception>
    public void HoldExclusive()
    {
        Debug.Assert(IsInBatch, OutsideOfBatch);
        if (_barrier.Depth != 0)
            return;
        BeginExclusive();
        _barrier.EndsWithCommand = true;
        // Leads the end of the command to the slow path.
        _commandsToClock = 0;
    }

    /// <summary>Ends <see cref="BeginExclusive"/>.</summary>
    public void EndExclusive()
    {
        if (_barrier.Depth == 0)
            throw new InvalidOperationException("The session is not exclusive.");

        if (--_barrier.Depth != 0)
            return;

        _barrier.EndsWithCommand = false;
        _epochs.LowerBarrier();
        if (_leavesWithExclusive)
            LeaveBatch();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Store.Growth.Note(_changes.Created);
        _changes.Created = 0;
        if (_slot is not null)
        {
            while (_barrier.Depth != 0)
                EndExclusive();

            if (_slot is not null)
                LeaveBatch();
        }
    }

    private void EnterSlot()
    {
        _slot = _epochs.Enter(this, _barrier.MayBeGuest, out bool isGuest);
        _barrier.IsGuest = isGuest;
        _slotEpoch = _slot.Epoch.Value;
        if (_slot.Reads is null)
            _slot.Prepare(Store);

        _held = _slot.Held!;
        _reads = _slot.Reads!;
        _reads.Session = this;
    }

    // Objects borrowed from the slot are used by the next session that enters it.
    private void LeaveSlot(EpochSlot slot)
    {
        _slot = null;
        _held = Store.Growth.NoLatches;
        if (_barrier.IsGuest)
        {
            _barrier.IsGuest = false;
            _epochs.LeaveAsGuest(slot);
            return;
        }

        EpochTable.Leave(slot);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void EndCommandSlow()
    {
        if (_slot is null)
            return;

        if (_barrier.EndsWithCommand)
            EndExclusive();

        if (Math.Abs(_changes.Created) >= CreatedPerReport)
        {
            int created = _changes.Created;
            _changes.Created = 0;
            Store.Growth.Report(created);
        }

        if (_commandsToClock <= 0)
            RefreshTime();

        if (_barrier.Depth == 0 && !_barrier.IsGuest && _epochs.IsBarred(this))
        {
            LeaveSlot(_slot);
            EnterSlot();
            RefreshTime();
        }
        else if (_epochs.Global != _slotEpoch)
        {
            // A plain release suffices: being seen with the older epoch for a moment only delays frees by other threads.
            _slotEpoch = _epochs.Global;
            Volatile.Write(ref _slot.Epoch.Value, _slotEpoch);
        }
    }
}
