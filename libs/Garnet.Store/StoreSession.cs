// One caller's access to the store: epoch entry, latches held until the command ends, reads and writes. Used by one thread at a time.
using System.Diagnostics;
using System.Runtime.CompilerServices;
using Garnet.Store.Changes;
using Garnet.Store.Collections;
using Garnet.Store.Epochs;
using Garnet.Store.Eviction;
using Garnet.Store.Index;
using Garnet.Store.Memory;
using Garnet.Store.Records;
using Garnet.Store.Snapshots;
using Garnet.Store.Watching;

namespace Garnet.Store;

/// <summary>
/// A session on the store. A batch is EnterBatch, then for each command its reads and opens followed by <see cref="EndCommand"/>, then
/// LeaveBatch. Latches taken by <see cref="Open(ReadOnlySpan{byte}, ulong)"/> stay held until <see cref="EndCommand"/>; while any is held
/// the session must not wait, and every key read or opened must be among the latched ones (several keys: <see cref="Latch"/> first; keys
/// not known in advance: <see cref="BeginExclusive"/>).
/// </summary>
internal sealed class StoreSession : IDisposable
{
    private const int CountedAccess = -1;
    private const int CommandsPerClockRead = 16;
    private const int CreatedPerReport = 8;
    private const int EvictedAheadBytes = 32 * 1024;
    private const int EvictedAheadShift = 12;
    private readonly EpochTable _epochs;
    private readonly HashIndex _index;
    private readonly DatabaseMap _databases;
    private HeldLatches _held;
    private ReadPath _reads;
    private EpochSlot? _slot;
    private long _slotEpoch;
    private long _millisecondEnds;
    private int _commandsToClock;
    private int _exclusiveDepth;
    private bool _leavesWithExclusive;
    private DetachedBlocks? _detached;

    internal StoreSession(HybridLogStore store)
    {
        Store = store;
        _epochs = store.Epochs;
        _index = store.Index;
        _databases = store.DatabaseMap;
        _held = store.NoLatches;
        _reads = null!;
    }

    /// <summary>The logical database of keys without an explicit one.</summary>
    public int Database { get; set; }

    /// <summary>Identifies the database's current contents: changes when it is emptied or swapped.</summary>
    public int DatabaseSpace => _databases.PhysicalOf(Database);

    /// <summary>
    /// The store's time in Unix milliseconds: read at <see cref="EnterBatch()"/>, again every 16 commands, and by
    /// <see cref="RefreshTime"/>. It never changes within a command.
    /// </summary>
    public long NowMs { get; private set; }

    /// <summary>Whether using a key counts as an access (on by default), which determines <see cref="IdleMs"/>.</summary>
    public bool Touches { get; set; } = true;

    /// <summary>The access byte of a record used just now; -1 under policies that count frequencies instead.</summary>
    internal int AccessStamp { get; private set; }

    /// <summary>The bits of an access byte that are compared to <see cref="AccessStamp"/>.</summary>
    internal byte AccessMask { get; private set; } = byte.MaxValue;

    /// <summary>
    /// Counts the key changes made by this session: tells whether a command changed anything. Removing an expired key does not count as a
    /// change by the command.
    /// </summary>
    public long ChangeCount { get; private set; }

    /// <summary>True between <see cref="BeginExclusive"/> and <see cref="EndExclusive"/>.</summary>
    public bool IsExclusive => _exclusiveDepth != 0;

    /// <summary>True between <see cref="EnterBatch"/> and <see cref="LeaveBatch"/>.</summary>
    public bool IsInBatch => _slot != null;

    /// <summary>The store.</summary>
    public HybridLogStore Store { get; }

    internal EpochSlot Slot => _slot!;

    internal HeldLatches Held => _held;

    /// <summary>The detached values being built.</summary>
    internal DetachedBlocks Detached => _detached ??= new DetachedBlocks(Store);

    internal EffectWriter Effects => field ??= new EffectWriter();

    /// <summary>Keys created minus keys removed since the last report to the index.</summary>
    internal int Created { get; set; }

    /// <summary>
    /// Changes whenever this session creates, moves or removes a record, so that a second handle on the same key notices.
    /// </summary>
    internal int Stamp { get; set; }

    /// <summary>Enters the epoch. No await may happen before <see cref="LeaveBatch"/>.</summary>
    public void EnterBatch()
    {
        if (_slot != null)
        {
            throw new InvalidOperationException("The session is already in a batch.");
        }

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
        if (_slot != null)
        {
            throw new InvalidOperationException("The session is already in a batch.");
        }

        EnterSlot();
        timestamp = Stopwatch.GetTimestamp();
        if (timestamp >= _millisecondEnds || Store.IsClockStopped)
        {
            NowMs = Store.ReadClockMs(timestamp, out _millisecondEnds);
        }

        TakeAccessStamp();
    }

    /// <summary>Releases the command's latches, refreshes the epoch, yields to a barrier and does pending index growth.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void EndCommand()
    {
        if (_held.Count != 0)
        {
            _held.ReleaseAll();
        }

        if (--_commandsToClock <= 0 || _epochs.Global != _slotEpoch || (uint)(Created + CreatedPerReport) > 2 * CreatedPerReport)
        {
            EndCommandSlow();
        }
    }

    /// <summary>
    /// Leaves the epoch and releases everything that a command that threw may still hold: latches, the barrier, and detached values.
    /// </summary>
    public void LeaveBatch()
    {
        if (_detached is { Count: > 0 })
        {
            _detached.DiscardAll();
        }

        if (_exclusiveDepth != 0)
        {
            // Normally the commands have ended by themselves before this, so only an exception leads here.
            _exclusiveDepth = 0;
            _epochs.LowerBarrier();
        }

        EndCommand();
        LeaveSlot(_slot ?? throw new InvalidOperationException("The session is not in a batch."));
    }

    /// <summary>Reads the clock now; for use between commands, after a long one.</summary>
    public void RefreshTime()
    {
        NowMs = Store.ReadClockMs();
        TakeAccessStamp();
    }

    /// <summary>The seeded hash of a key in the current database.</summary>
    public ulong Hash(ReadOnlySpan<byte> key) => _databases.Hash(key);

    /// <summary>The seeded hash of a key in a given logical database.</summary>
    public ulong Hash(int database, ReadOnlySpan<byte> key) => _databases.Hash(key);

    /// <summary>Prefetches the index bucket of a hash.</summary>
    public void PrefetchBucket(ulong hash) => _index.Prefetch(_databases.Salt(hash, _databases.PhysicalOf(Database)));

    /// <summary>Prefetches the record that the (already fetched) bucket has for a hash.</summary>
    public void PrefetchRecord(ulong hash) => _reads.PrefetchRecord(_databases.Salt(hash, _databases.PhysicalOf(Database)));

    /// <summary>
    /// Reserves memory for a write of about <paramref name="bytes"/>, evicting keys if necessary; false when memory is exhausted. Called in
    /// a batch before the first latch; inside of a transaction, which holds latches, nothing is evicted.
    /// </summary>
    public bool TryReserve(long bytes)
    {
        MemoryBudget budget = Store.Budget;
        if (budget.LimitBytes == 0)
        {
            return true;
        }

        EpochSlot slot = Slot;
        slot.Credit -= bytes;
        return (slot.Credit >= 0 && slot.CreditVersion == budget.Version) || TryReserveSlow(budget, slot, bytes);
    }

    /// <summary>
    /// True when memory taken from the system is so far above the limit that a write of about <paramref name="bytes"/> has to wait until
    /// some has been freed. Asked before the first latch, after <see cref="TryReserve"/>: the command releases everything and its
    /// connection waits.
    /// </summary>
    public bool MustWaitForMemory(long bytes) => Store.Budget.MustWait(bytes);

    /// <summary>
    /// Completes when it is worth asking <see cref="MustWaitForMemory"/> again. The caller must not be in a batch while awaiting this.
    /// </summary>
    public Task WaitForMemoryAsync() => Store.Budget.WaitAsync();

    /// <summary>
    /// True when an active snapshot has no space for the old images of a write of about <paramref name="bytes"/>. Asked before the first
    /// latch: the command must release everything and its connection must wait.
    /// </summary>
    public bool MustWaitForSnapshot(long bytes)
    {
        SnapshotRound? snapshot = Store.Snapshot;
        return snapshot != null && !snapshot.Sink.HasSpace(bytes);
    }

    /// <summary>
    /// Completes when it is worth asking <see cref="MustWaitForSnapshot"/> again. The caller must not be in a batch while awaiting this.
    /// </summary>
    public Task WaitForSnapshotAsync() => Store.Snapshot?.Sink.WaitForRoomAsync() ?? Task.CompletedTask;

    /// <summary>
    /// True when changing part of this key's value would first copy several megabytes under its latch, because the block is shared with a
    /// snapshot, a reply or a copied key. Asked before the command's first latch; <see cref="HybridLogStore.CopySharedBlock"/> then copies
    /// without one.
    /// </summary>
    public unsafe bool MustCopyBlock(ReadOnlySpan<byte> key, ulong hash)
    {
        AssertInBatch();
        if (!Store.Blocks.HasMapped || _exclusiveDepth != 0)
        {
            return false;
        }

        int physical = _databases.PhysicalOf(Database);
        ulong salted = _databases.Salt(hash, physical);
        long bucket = BeginBrief(salted, out bool isBrief);
        byte* record = _reads.Find(_index.Bucket(bucket), salted, physical, key, out _);
        bool mustCopy = false;
        if (record != null && (*(ulong*)record & RecordHeader.BlockValue) != 0)
        {
            BlockHeader* block = RecordHeader.ValueBlockOf(record, *(ulong*)record);
            mustCopy =
                BlockHeap.IsMapped(block)
                && (Volatile.Read(ref block->References) > 1 || (Store.Snapshot?.IsOld(*(ulong*)record) ?? false));
        }

        EndBrief(bucket, isBrief);
        return mustCopy;
    }

    /// <summary>
    /// Reads a key without a latch (under its latch when this session holds it, or after several failed attempts), which counts as an
    /// access. An expired key is missing.
    /// </summary>
    public ReadOutcome Read<TReader>(ReadOnlySpan<byte> key, ulong hash, RecordType type, ref TReader reader)
        where TReader : struct, IValueReader, allows ref struct => _reads.Read(Database, key, hash, (int)type, ref reader);

    /// <summary>Reads a key of any type without counting as an access.</summary>
    public ReadOutcome ReadAny<TReader>(ReadOnlySpan<byte> key, ulong hash, ref TReader reader)
        where TReader : struct, IValueReader, allows ref struct => _reads.Read(Database, key, hash, ReadPath.AnyType, ref reader);

    /// <summary>
    /// Approximate time since a key with this access byte (<see cref="RecordInfo.Access"/>) was used, in milliseconds: to a second within
    /// the last minute, to an eighth beyond.
    /// </summary>
    public long IdleMs(byte access) => Store.Accesses.IdleMs(access, NowMs);

    /// <summary>Like <see cref="IdleMs"/>, in whole seconds of the system clock that have started since.</summary>
    public long IdleSeconds(byte access) => Store.Accesses.IdleSeconds(access, NowMs);

    /// <summary>The system clock's second in which a key with this access byte was used, in Unix time.</summary>
    public long UsedAtSecond(byte access) => Store.Accesses.MomentOf(access) / 1000;

    /// <summary>The access byte of a key that was last used the given number of milliseconds ago.</summary>
    public byte AccessOf(long idleMs) => Store.Accesses.StampOf(idleMs, Store.IsClockStopped ? Store.ReadRunningClockMs() : NowMs);

    /// <summary>True when a live key exists.</summary>
    public bool Exists(ReadOnlySpan<byte> key, ulong hash)
    {
        ExistenceReader reader = default;
        return ReadAny(key, hash, ref reader) == ReadOutcome.Found;
    }

    /// <summary>
    /// Latches the buckets of several keys in index order before any of them is accessed; afterwards
    /// <see cref="Open(ReadOnlySpan{byte}, ulong)"/> and reads of these keys use the held latches. Must come before any other latching of
    /// the command (or transaction).
    /// </summary>
    /// <param name="keys">The keys; any may be named twice.</param>
    /// <param name="mayAdd">Whether so many keys might be added, for which the index is then made large enough beforehand.</param>
    public void Latch(ReadOnlySpan<KeyReference> keys, bool mayAdd = true)
    {
        AssertInBatch();
        if (_exclusiveDepth == 0)
        {
            _held.AcquireAll(keys, _databases, mayAdd);
        }
    }

    /// <summary>
    /// Latches a key of the current database and returns its record, or its absence. Held until <see cref="EndCommand"/>. An expired record
    /// is removed first (and its removal passed to the sink).
    /// </summary>
    public RecordHandle Open(ReadOnlySpan<byte> key, ulong hash) => Open(Database, key, hash);

    /// <summary>
    /// Like <see cref="Open(ReadOnlySpan{byte}, ulong)"/> for another logical database; the hash must have been computed for that database.
    /// </summary>
    public RecordHandle Open(int database, ReadOnlySpan<byte> key, ulong hash)
    {
        RecordHandle handle = OpenExpired(database, key, hash);
        handle.RemoveIfExpired(NowMs);
        if (handle.Exists && (handle.Access & AccessMask) != AccessStamp && Touches)
        {
            handle.Touch();
        }

        return handle;
    }

    /// <summary>
    /// Like <see cref="Open(int, ReadOnlySpan{byte}, ulong)"/> for a key that will be deleted or replaced whether it has expired or not: an
    /// expired record is still present. Does not count as an access.
    /// </summary>
    public RecordHandle OpenExpired(int database, ReadOnlySpan<byte> key, ulong hash)
    {
        AssertInBatch();
        int physical = _databases.PhysicalOf(database);
        ulong salted = _databases.Salt(hash, physical);
        long bucket = _exclusiveDepth != 0 ? _index.Locate(salted) : _held.Acquire(salted);
        return new RecordHandle(this, key, salted, database, physical, bucket);
    }

    /// <summary>
    /// From here to <see cref="EndExclusive"/> this session runs exclusively: no other is inside a command, no latch is needed, any key may
    /// be accessed. Nests. May be called inside or outside a batch, but not with latches held. Waits for other sessions' commands to end,
    /// in attempts of half a millisecond.
    /// </summary>
    public void BeginExclusive()
    {
        if (_exclusiveDepth++ != 0)
        {
            return;
        }

        if (_held.Count != 0)
        {
            _exclusiveDepth = 0;
            throw new InvalidOperationException("A session that holds latches cannot become exclusive.");
        }

        _leavesWithExclusive = _slot == null;
        if (_slot != null)
        {
            LeaveSlot(_slot);
        }

        _epochs.RaiseBarrier(this);
        EnterSlot();
        if (_leavesWithExclusive)
        {
            RefreshTime();
        }
    }

    /// <summary>Ends <see cref="BeginExclusive"/>.</summary>
    public void EndExclusive()
    {
        if (_exclusiveDepth == 0)
        {
            throw new InvalidOperationException("The session is not exclusive.");
        }

        if (--_exclusiveDepth != 0)
        {
            return;
        }

        _epochs.LowerBarrier();
        if (_leavesWithExclusive)
        {
            LeaveBatch();
        }
    }

    /// <summary>
    /// From now on any change of the key touches the watcher. A key that has already expired may be removed without touching it, as in
    /// Valkey.
    /// </summary>
    public void Watch(int database, ReadOnlySpan<byte> key, ulong hash, KeyWatcher watcher) => Watch(database, key, null, hash, watcher);

    /// <summary>Like the other overload, but keeps the given array instead of a copy; it must not be changed afterwards.</summary>
    public void Watch(int database, byte[] key, ulong hash, KeyWatcher watcher) => Watch(database, key, key, hash, watcher);

    private unsafe void Watch(int database, ReadOnlySpan<byte> key, byte[]? immutableKey, ulong hash, KeyWatcher watcher)
    {
        ArgumentNullException.ThrowIfNull(watcher);
        AssertInBatch();
        if (watcher.IsDecided)
        {
            return;
        }

        int physical = _databases.PhysicalOf(database);
        ulong salted = _databases.Salt(hash, physical);
        long bucket = BeginBrief(salted, out bool isBrief);
        try
        {
            byte* record = _reads.Find(_index.Bucket(bucket), salted, physical, key, out _);
            bool wasExpired = false;
            if (record != null)
            {
                long expires = RecordHeader.ExpiresAt(record, *(ulong*)record);
                wasExpired = IsExpired(expires);
                if (expires >= 0 && !wasExpired)
                {
                    watcher.NoteExpiry(Store, expires);
                }
            }

            Store.Watches.Add(salted, database, key, immutableKey, hash, watcher, wasExpired, bucket);
        }
        finally
        {
            EndBrief(bucket, isBrief);
        }
    }

    /// <summary>Ends all watches of a watcher and clears it.</summary>
    public void Unwatch(KeyWatcher watcher)
    {
        ArgumentNullException.ThrowIfNull(watcher);
        AssertInBatch();
        foreach (Watch watch in watcher.Watches)
        {
            long bucket = BeginBrief(watch.Key.Salted, out bool isBrief);
            Store.Watches.Remove(watch, bucket);
            EndBrief(bucket, isBrief);
        }

        watcher.Reset();
    }

    /// <summary>
    /// Visits the keys of some buckets and returns the next cursor; 0 both starts and ends the scan. Buckets are visited in the order of
    /// bit-reversed hashes, so a key present during the whole iteration is visited at least once, however the index grows or shrinks
    /// meanwhile. The visitor receives copies and holds no latch. Expired keys are not visited.
    /// </summary>
    public long Scan<TVisitor>(int database, long cursor, int buckets, ref TVisitor visitor)
        where TVisitor : struct, IKeyVisitor, allows ref struct
    {
        AssertInBatch();
        return _reads.Scan(database, cursor, buckets, ref visitor);
    }

    /// <summary>Visits one random live key of a database; false when there is none.</summary>
    public bool TryRandomKey<TVisitor>(int database, ref TVisitor visitor)
        where TVisitor : struct, IKeyVisitor, allows ref struct
    {
        AssertInBatch();
        return _reads.TryRandomKey(database, ref visitor);
    }

    /// <summary>
    /// Copies an element, so that it can be added to one collection while the one it came from changes. Valid until the next copy into the
    /// same slot (0 to 3) on this thread; never across an await.
    /// </summary>
    public static ReadOnlySpan<byte> CopyToScratch(scoped ReadOnlySpan<byte> bytes, int slot = 0) =>
        ElementScratch.Current.Copy(bytes, slot);

    /// <inheritdoc/>
    public void Dispose()
    {
        Store.Growth.Note(Created);
        Created = 0;
        if (_slot != null)
        {
            while (_exclusiveDepth != 0)
            {
                EndExclusive();
            }

            if (_slot != null)
            {
                LeaveBatch();
            }
        }
    }

    /// <summary>As in Valkey, a key still exists in the millisecond of its expiry.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool IsExpired(long expiresAtMs) => expiresAtMs >= 0 && NowMs > expiresAtMs;

    /// <summary>
    /// Writes the current stamp into a record, or counts the use; with or without a latch, while the epoch keeps the record in place.
    /// </summary>
    internal unsafe void Touch(byte* record)
    {
        if (AccessStamp >= 0)
        {
            int uses = AccessMask == byte.MaxValue ? 0 : UseCount.OneMore(record[RecordHeader.AccessOffset]);
            record[RecordHeader.AccessOffset] = (byte)(uses | AccessStamp);
            Store.Accesses.NoteUse();
        }
        else
        {
            AccessFrequency.Count(record, Store.Eviction.FrequencyLogFactor);
        }
    }

    /// <summary>Counts one more use under policies that count uses; the record may be null.</summary>
    internal unsafe void UseAgain(byte* record)
    {
        if (record != null && AccessStamp < 0 && Touches)
            Touch(record);
    }

    /// <summary>The access byte for a new record. A recently evicted key counts as used once.</summary>
    internal byte StampNew(ulong salted)
    {
        if (AccessStamp < 0)
        {
            return AccessFrequency.First;
        }

        Store.Accesses.NoteUse();
        int uses = AccessMask != byte.MaxValue && Store.Evicted.Has(salted) ? UseCount.OneMore(0) : 0;
        return (byte)(uses | AccessStamp);
    }

    /// <summary>Latches one bucket briefly; does nothing if this session already holds it or runs exclusively.</summary>
    internal long BeginBrief(ulong salted, out bool isBrief)
    {
        isBrief = _exclusiveDepth == 0 && _held.Count == 0;
        return isBrief ? _index.Latch(salted)
            : _exclusiveDepth != 0 ? _index.Locate(salted)
            : _held.Acquire(salted);
    }

    internal void EndBrief(long bucket, bool isBrief)
    {
        if (isBrief)
        {
            _index.Release(bucket);
        }
    }

    /// <summary>Under the barrier: whether a record exists, expired or not.</summary>
    internal unsafe bool PeekExclusive(int database, ReadOnlySpan<byte> key, ulong hash, out bool isExpired)
    {
        int physical = _databases.PhysicalOf(database);
        ulong salted = _databases.Salt(hash, physical);
        byte* record = _reads.Find(_index.Bucket(_index.Locate(salted)), salted, physical, key, out _);
        isExpired = record != null && IsExpired(RecordHeader.ExpiresAt(record, *(ulong*)record));
        return record != null;
    }

    internal unsafe byte* Find(long bucket, ulong salted, int physical, ReadOnlySpan<byte> key, out long* entry) =>
        _reads.Find(_index.Bucket(bucket), salted, physical, key, out entry);

    /// <summary>Called after a change of a key under its latch: counts the change and notifies watchers.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal unsafe void CountChange(KeyChangeKind kind, long bucket, ulong salted, int database, ReadOnlySpan<byte> key)
    {
        if (kind.IsCounted())
        {
            ChangeCount++;
            _slot!.Changes++;
        }

        if ((*HashIndex.Word(_index.Bucket(bucket)) & BucketWord.Observed) != 0)
        {
            Store.Watches.Touch(kind, salted, bucket, database, key);
        }
    }

    /// <summary>
    /// Makes changes noted recently count as another number in <see cref="StoreStatistics.Changes"/>: a command's elements instead of the
    /// store's steps.
    /// </summary>
    public void CountAs(long noted, long counted)
    {
        AssertInBatch();
        _slot!.Changes += counted - noted;
    }

    /// <summary>
    /// Counts hash fields that were removed because they expired, or were given an expiry in the past
    /// (<see cref="StoreStatistics.ExpiredFields"/>).
    /// </summary>
    public void CountExpiredFields(int fields)
    {
        AssertInBatch();
        _slot!.ExpiredFields += fields;
    }

    [Conditional("DEBUG")]
    internal void AssertInBatch() => Debug.Assert(_slot != null, "The session was used outside of a batch.");

    private void TakeAccessStamp()
    {
        AccessStamp = Store.Eviction.CountsFrequency ? CountedAccess : Store.Accesses.Now;
        AccessMask = Store.Accesses.Mask;
        _commandsToClock = CommandsPerClockRead;
    }

    private void EnterSlot()
    {
        _slot = _epochs.Enter(this);
        _slotEpoch = _slot.Epoch.Value;
        _held = _slot.Held ??= new HeldLatches(_index, Store.Growth);
        _reads = _slot.Reads ??= new ReadPath(Store);
        _reads.Session = this;
    }

    // Objects borrowed from the slot are used by the next session that enters it.
    private void LeaveSlot(EpochSlot slot)
    {
        _slot = null;
        _held = Store.NoLatches;
        EpochTable.Leave(slot);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void EndCommandSlow()
    {
        if (_slot == null)
        {
            return;
        }

        if (Math.Abs(Created) >= CreatedPerReport)
        {
            int created = Created;
            Created = 0;
            Store.Growth.Report(created);
        }

        if (_commandsToClock <= 0)
        {
            RefreshTime();
        }

        if (_exclusiveDepth == 0 && _epochs.IsBarred(this))
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

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryReserveSlow(MemoryBudget budget, EpochSlot slot, long bytes)
    {
        slot.Credit = 0;
        slot.CreditVersion = budget.Version;
        budget.Look();
        if (budget.LimitBytes is > 0 and long limit && bytes > limit)
        {
            return false;
        }

        long excess = budget.Excess(bytes);
        if (excess <= 0)
        {
            budget.NoteExceeded(false);
            slot.Credit = MemoryBudget.CreditFor(-excess);
            return true;
        }

        if (_held.Count != 0 || _exclusiveDepth != 0)
        {
            return Store.Eviction.Policy != EvictionPolicy.NoEviction;
        }

        // Frees slightly more than needed, so that the next commands need not check.
        long ahead = Math.Min(EvictedAheadBytes, budget.LimitBytes >> EvictedAheadShift);
        EvictionOutcome outcome = (slot.Evictor ??= new KeyEvictor(Store)).MakeRoom(this, bytes, ahead);
        slot.Credit = outcome == EvictionOutcome.Done ? Math.Clamp(-budget.Excess(bytes), 0, ahead) : 0;
        budget.NoteExceeded(outcome != EvictionOutcome.Done);
        return outcome != EvictionOutcome.Exhausted || budget.Excess(bytes) <= 0;
    }

    private readonly struct ExistenceReader : IValueReader
    {
        public void Read(ReadOnlySpan<byte> value, in RecordInfo info) { }
    }
}
