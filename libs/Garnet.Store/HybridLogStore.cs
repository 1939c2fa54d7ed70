// The store: index, hybrid log, blocks, epochs and databases of one keyspace. Thread-safe; callers work through StoreSession.
using System.Diagnostics;
using Garnet.Store.Changes;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Trees;
using Garnet.Store.DataTypes;
using Garnet.Store.Epochs;
using Garnet.Store.Eviction;
using Garnet.Store.Index;
using Garnet.Store.Log;
using Garnet.Store.Maintenance;
using Garnet.Store.Memory;
using Garnet.Store.Records;
using Garnet.Store.Snapshots;
using Garnet.Store.Watching;

namespace Garnet.Store;

/// <summary>A key-value store of bytes on a hybrid log in native memory.</summary>
internal sealed class HybridLogStore : IDisposable
{
    private const long MaxDueMs = 1L << 41;
    private readonly TimeProvider _time;
    private readonly long _builtAtMs;
    private EvictionSettings _eviction = EvictionSettings.Default;
    private readonly SnapshotWalker _snapshots;
    private int _disposed;

    /// <summary>Builds an empty store.</summary>
    public HybridLogStore(StoreOptions options, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(time);
        ArgumentOutOfRangeException.ThrowIfLessThan(options.Databases, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(options.Databases, 128);
        ArgumentOutOfRangeException.ThrowIfLessThan(options.PageSizeBits, 16);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(options.PageSizeBits, 25);
        ArgumentOutOfRangeException.ThrowIfLessThan(options.BlockThresholdBytes, 64);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(options.BlockThresholdBytes, 24 * 1024);
        if (!BitConverter.IsLittleEndian)
        {
            throw new PlatformNotSupportedException("The record format requires a little-endian machine.");
        }

        _time = time;
        _builtAtMs = ReadClockMs();
        BlockThresholdBytes = options.BlockThresholdBytes;
        ulong seed = options.HashSeed ?? BitConverter.ToUInt64(SecureRandom.Bytes(sizeof(ulong)));
        DatabaseMap = new DatabaseMap(options.Databases, seed);
        Trees = new TreeStore(Blocks, SipHash.Mix(~seed));
        Log = new RecordLog(options.PageSizeBits, Epochs);
        Growth = new IndexGrowth(Index, Log, DatabaseMap);
        Watches = new WatchTable(this);
        Accesses = new AccessClock(this, ReadClockMs());
        Evicted = new GhostFilter(this);
        Maintenance = new StoreMaintenance(this);
        _snapshots = new SnapshotWalker(this);
        Statistics = new StoreStatistics(this);
        Budget = new MemoryBudget(this) { MaxBytes = options.MaxMemoryBytes };
    }

    /// <summary>
    /// Maximum length of a string value: lengths are 32-bit numbers, with a margin for what surrounds the bytes in requests, logs and
    /// files.
    /// </summary>
    public const int MaxStringBytes = int.MaxValue - 65_536;

    /// <summary>Number of logical databases.</summary>
    public int Databases => DatabaseMap.Databases;

    /// <summary>The types of value, to which an application may add.</summary>
    public DataTypeTable Types { get; } = new();

    /// <summary>
    /// Receives the effects of writes; null (the default) costs nothing. Set it only before sessions run or inside
    /// <see cref="RunExclusive"/>.
    /// </summary>
    public IWriteSink? Sink { get; set; }

    /// <summary>Who observes the changes of keys, in the order in which they are told.</summary>
    internal IKeyChangeObserver[] Observers { get; private set; } = [];

    /// <summary>Counters of what the store has done and holds.</summary>
    public StoreStatistics Statistics { get; }

    /// <summary>
    /// Memory limit of the data in bytes; 0 means no limit. May be changed at any time: keys above the limit are evicted within the next
    /// seconds by the policy of <see cref="Eviction"/>.
    /// </summary>
    public long MaxMemoryBytes
    {
        get => Budget.MaxBytes;
        set => Budget.MaxBytes = value;
    }

    /// <summary>
    /// Bytes of <see cref="MaxMemoryBytes"/> used by the rest of the process and therefore not available to the store, which keeps half of
    /// the limit in any case.
    /// </summary>
    public long OutsideMemoryBytes
    {
        get => Budget.OutsideBytes;
        set => Budget.OutsideBytes = value;
    }

    /// <summary>
    /// Peak memory that the store took from the system since the last call; approximate, as it is sampled periodically.
    /// </summary>
    public long TakePeakAllocatedBytes() => Budget.TakePeakAllocated();

    /// <summary>
    /// True when memory taken from the system was recently so far above the limit that threads needing more may have to wait
    /// (<see cref="StoreSession.MustWaitForMemory"/>).
    /// </summary>
    public bool IsOverLimit => Budget.IsOver;

    /// <summary>Eviction policy and limits. May be changed at any time; sessions apply them from their next batch.</summary>
    public EvictionSettings Eviction
    {
        get => Volatile.Read(ref _eviction);
        set
        {
            ArgumentNullException.ThrowIfNull(value);
            Volatile.Write(ref _eviction, value);
            Accesses.FollowPolicy(ReadRunningClockMs());
        }
    }

    /// <summary>
    /// Thresholds between the encodings of collections. May be changed at any time; collections apply them at their next change.
    /// </summary>
    public CollectionLimits CollectionLimits { get; set; } = CollectionLimits.Default;

    internal int BlockThresholdBytes { get; }

    /// <summary>The checkpoint version that new and changed records carry.</summary>
    internal byte Version { get; private set; }

    /// <summary>The active snapshot; set and cleared under the barrier.</summary>
    internal SnapshotRound? Snapshot { get; private set; }

    internal EpochTable Epochs { get; } = new();

    /// <summary>The latches of a session outside of any batch: none.</summary>
    internal HeldLatches NoLatches => field ??= new HeldLatches(Index, Growth);

    internal HashIndex Index { get; } = new();

    internal BlockHeap Blocks { get; } = new();

    internal TreeStore Trees { get; }

    internal RecordLog Log { get; }

    internal DatabaseMap DatabaseMap { get; }

    internal IndexGrowth Growth { get; }

    internal WatchTable Watches { get; }

    /// <summary>
    /// Number of different keys watched by watchers without an observer; those of a watcher that was touched count until it is reset.
    /// </summary>
    public long WatchedKeys => Watches.TransactionKeys;

    internal AccessClock Accesses { get; }

    internal GhostFilter Evicted { get; }

    internal MemoryBudget Budget { get; }

    internal StoreMaintenance Maintenance { get; }

    /// <summary>
    /// Whether maintenance removes expired keys that are not accessed (on by default). Reads and writes remove them in any case.
    /// </summary>
    public bool ActiveExpiry { get; set; } = true;

    /// <summary>
    /// Asked before an expired key is removed on behalf of a reader or in the background: while it returns true such keys stay, though
    /// readers do not see them. Writers remove them in any case.
    /// </summary>
    public Func<bool>? HoldsExpired { get; set; }

    /// <summary>
    /// While true the clock reads 0, so that nothing is expired: replayed effects must find the data they were applied to. A session
    /// notices a change at its next batch.
    /// </summary>
    public bool IsClockStopped { get; set; }

    /// <summary>True between <see cref="BeginSnapshot"/> and <see cref="EndSnapshot"/>.</summary>
    public bool IsSnapshotActive => Snapshot != null;

    /// <summary>
    /// False while an active snapshot has no space for another image; background work that changes records then pauses.
    /// </summary>
    internal bool HasSnapshotSpace => Snapshot is not { } round || round.Sink.HasSpace(0);

    /// <summary>Opens a session, one per connection or background worker; it is used by one thread at a time.</summary>
    public StoreSession OpenSession() => new(this);

    /// <summary>
    /// Replaces a key's large shared block by a private one, copied without a latch, so that it can be changed in place. Does nothing if
    /// the key changes in the meantime. Takes as long as the copy; the caller must not be in a batch.
    /// </summary>
    /// <param name="database">The logical database.</param>
    /// <param name="key">The key.</param>
    public void CopySharedBlock(int database, ReadOnlySpan<byte> key)
    {
        using StoreSession session = OpenSession();
        session.Database = database;
        session.EnterBatch();
        RecordHandle record = session.Open(key, session.Hash(key));
        bool isBlock = record.TryReferenceBlock(out ValueBlock shared);
        session.LeaveBatch();
        if (!isBlock)
        {
            return;
        }

        // Holding a reference keeps writers from changing the block.
        var copy = ValueBlock.Allocate(this, shared.Length);
        shared.Span.CopyTo(copy.Span);
        copy.CountArrived(copy.Length);
        session.EnterBatch();
        record = session.Open(key, session.Hash(key));
        if (!record.TryExchangeBlock(shared, copy))
        {
            copy.Release();
        }

        session.LeaveBatch();
        shared.Release();
    }

    /// <summary>Number of keys of a logical database (including expired ones not yet removed, like Valkey's DBSIZE).</summary>
    public long KeyCount(int database) => Math.Max(0, KeysOfPhysical(DatabaseMap.PhysicalOf(database)));

    /// <summary>Number of keys of a logical database that have an expiry.</summary>
    public unsafe long ExpiringKeyCount(int database) =>
        Math.Max(
            0,
            SumOfSlots(DatabaseMap.PhysicalOf(database), static (slot, physical) => Volatile.Read(ref slot.ExpiringKeys[physical]))
        );

    /// <summary>Number of hashes of a logical database with at least one field that has an expiry, whether due or not.</summary>
    public unsafe long VolatileHashCount(int database) =>
        Math.Max(
            0,
            SumOfSlots(DatabaseMap.PhysicalOf(database), static (slot, physical) => Volatile.Read(ref slot.VolatileHashes[physical]))
        );

    /// <summary>
    /// Mean remaining time to live in milliseconds of a logical database's keys that have an expiry; 0 when there are none.
    /// </summary>
    public unsafe long MeanTimeToLiveMs(int database)
    {
        long keys = ExpiringKeyCount(database);
        long sum = SumOfSlots(DatabaseMap.PhysicalOf(database), static (slot, physical) => Volatile.Read(ref slot.ExpirySums[physical]));
        return keys == 0 ? 0 : Math.Max(0, (sum / keys) + _builtAtMs - ReadClockMs());
    }

    /// <summary>
    /// An expiry as a distance from the store's creation that can be summed; more than seventy years away counts as seventy.
    /// </summary>
    internal long DueOf(long expiresAtMs) => Math.Clamp(expiresAtMs - _builtAtMs, -MaxDueMs, MaxDueMs);

    /// <summary>Runs an action while no other session is inside a command, as one point in time. The caller must hold no latch.</summary>
    public void RunExclusive(StoreSession caller, Action action)
    {
        ArgumentNullException.ThrowIfNull(caller);
        ArgumentNullException.ThrowIfNull(action);
        caller.BeginExclusive();
        try
        {
            action();
        }
        finally
        {
            caller.EndExclusive();
        }
    }

    /// <summary>
    /// Announces the number of keys to come, over all databases: the index is enlarged for them now, at about 16 bytes per key, and keeps
    /// that size until <see cref="EndExpectation"/>.
    /// </summary>
    /// <param name="caller">A session outside of any batch.</param>
    /// <param name="keys">The number of keys.</param>
    public void ExpectKeys(StoreSession caller, long keys)
    {
        ArgumentNullException.ThrowIfNull(caller);
        ArgumentOutOfRangeException.ThrowIfNegative(keys);
        caller.EnterBatch();
        Growth.Expect(caller, keys);
        caller.LeaveBatch();
    }

    /// <summary>Ends the effect of <see cref="ExpectKeys"/>: the keys have arrived, or will not.</summary>
    public void EndExpectation() => Growth.EndExpectation();

    /// <summary>Swaps the contents of two databases in constant time, while no other session is inside a command.</summary>
    public void SwapDatabases(StoreSession caller, int a, int b)
    {
        ArgumentNullException.ThrowIfNull(caller);
        RunExclusive(
            caller,
            () =>
            {
                if (a != b)
                {
                    Watches.TouchDatabase(caller, a, b);
                    Watches.TouchDatabase(caller, b, a);
                    DatabaseMap.Swap(a, b);
                    foreach (IKeyChangeObserver observer in Observers)
                        observer.OnSwapped(a, b);
                    Watches.Rekey(a);
                    Watches.Rekey(b);
                }

                // As in Valkey, this also applies to a database swapped with itself.
                caller.Slot.Changes++;
            }
        );
    }

    /// <summary>Adds an observer of all changes, between commands; one that was added stays as long as the store.</summary>
    public void AddObserver(StoreSession caller, IKeyChangeObserver observer)
    {
        ArgumentNullException.ThrowIfNull(observer);
        RunExclusive(caller, () => Observers = [.. Observers, observer]);
    }

    /// <summary>Empties a database, in constant time, between commands of everybody; its memory comes back through maintenance.</summary>
    public void FlushDatabase(StoreSession caller, int database)
    {
        ArgumentNullException.ThrowIfNull(caller);
        RunExclusive(caller, () => FlushExclusive(caller, database));
    }

    /// <summary>Empties all databases in constant time, while no other session is inside a command.</summary>
    public void FlushAll(StoreSession caller)
    {
        ArgumentNullException.ThrowIfNull(caller);
        RunExclusive(
            caller,
            () =>
            {
                for (int database = 0; database < Databases; database++)
                    FlushExclusive(caller, database);
            }
        );
    }

    /// <summary>
    /// Starts a snapshot at one point in time, while no other session is inside a command: from here on the sink receives each key that is
    /// live now, exactly once, in its present state. The caller holds no latch. Throws if a snapshot is already active.
    /// </summary>
    /// <param name="caller">The calling thread's session, inside a batch or outside.</param>
    /// <param name="sink">Receives the images.</param>
    /// <param name="atFlip">Run at that very point, with all other sessions excluded; it must be short.</param>
    public void BeginSnapshot(StoreSession caller, ISnapshotSink sink, Action? atFlip = null)
    {
        ArgumentNullException.ThrowIfNull(caller);
        ArgumentNullException.ThrowIfNull(sink);
        _snapshots.Begin(caller, sink, atFlip);
    }

    /// <summary>
    /// Passes up to <paramref name="records"/> records not written since the flip to the sink; false when the walk is done and the snapshot
    /// is therefore complete. The caller is in a batch, holds no latch, and may wait between calls. One walker at a time.
    /// </summary>
    public bool WalkPages(StoreSession caller, ref SnapshotCursor cursor, int records) => _snapshots.Walk(caller, ref cursor, records);

    /// <summary>The fraction of pages that a walk has visited: 0 to 1.</summary>
    public double WalkedShare(in SnapshotCursor cursor) =>
        Snapshot is { } round ? Math.Clamp((cursor.Page - 1.0) / Math.Max(1, round.LastPage), 0, 1) : 1;

    /// <summary>Number of pages that the active snapshot's walk has to visit.</summary>
    public long SnapshotPages => Snapshot?.LastPage ?? 0;

    /// <summary>Ends the snapshot, complete or not; the sink is not called after this returns.</summary>
    public void EndSnapshot(StoreSession caller)
    {
        ArgumentNullException.ThrowIfNull(caller);
        _snapshots.End(caller);
    }

    /// <summary>
    /// Does one round of maintenance on the calling thread, which must not be in a batch; true when more work is due at once. The
    /// background thread of <see cref="StartMaintenance"/> does nothing else.
    /// </summary>
    public bool RunMaintenance() => Maintenance.Run();

    /// <summary>
    /// Returns memory that is only kept for reuse to the system; dead records follow through maintenance. The caller must not be in a
    /// batch.
    /// </summary>
    public void Purge() => Maintenance.Purge();

    /// <summary>Starts the thread that runs maintenance until the store is disposed.</summary>
    public void StartMaintenance() => Maintenance.Start();

    /// <inheritdoc/>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0)
        {
            return;
        }

        Maintenance.Dispose();
        ReleaseBlocks();
        Log.Dispose();
        Index.Dispose();
        Trees.Dispose();
        Blocks.Dispose();
        Epochs.Dispose();
    }

    /// <summary>Unix milliseconds from the injected clock.</summary>
    internal long ReadClockMs() => IsClockStopped ? 0 : ReadRunningClockMs();

    /// <summary>
    /// Like <see cref="ReadClockMs()"/>; also returns the Stopwatch timestamp at which that millisecond ends, or that it is unknown because
    /// the clock is not the system's.
    /// </summary>
    internal long ReadClockMs(long timestamp, out long endsAt)
    {
        endsAt = long.MinValue;
        if (IsClockStopped || _time != TimeProvider.System)
        {
            return ReadClockMs();
        }

        (long milliseconds, long over) = Math.DivRem(_time.GetUtcNow().UtcTicks - DateTime.UnixEpoch.Ticks, TimeSpan.TicksPerMillisecond);
        endsAt = timestamp + ((TimeSpan.TicksPerMillisecond - over) * Stopwatch.Frequency / TimeSpan.TicksPerSecond);
        return milliseconds;
    }

    /// <summary>
    /// Like <see cref="ReadClockMs()"/>, but unaffected by <see cref="IsClockStopped"/>: a key's idle time is independent of expiry.
    /// </summary>
    internal long ReadRunningClockMs() => (_time.GetUtcNow().UtcTicks - DateTime.UnixEpoch.Ticks) / TimeSpan.TicksPerMillisecond;

    /// <summary>Number of keys of a physical database; exact only while no thread changes it.</summary>
    internal unsafe long KeysOfPhysical(int physical) =>
        SumOfSlots(physical, static (slot, physical) => Volatile.Read(ref slot.Keys[physical]));

    // A key may be added through one slot and removed through another, so only the sum over all slots is meaningful.
    private long SumOfSlots(int physical, Func<EpochSlot, int, long> countOf)
    {
        long sum = 0;
        foreach (EpochSlot slot in Epochs.Slots)
        {
            sum += countOf(slot, physical);
        }

        return sum;
    }

    /// <summary>Under the barrier: makes the next version current, so that records of any other version are old.</summary>
    internal void Flip(SnapshotRound round)
    {
        Version++;
        Snapshot = round;
    }

    /// <summary>Under the barrier.</summary>
    internal void EndRound() => Snapshot = null;

    private void FlushExclusive(StoreSession caller, int database)
    {
        if (KeyCount(database) == 0)
        {
            return;
        }

        Watches.TouchDatabase(caller, database, -1);
        foreach (IKeyChangeObserver observer in Observers)
            observer.OnFlushed(database);
        caller.Slot.Changes += KeyCount(database);
        while (!DatabaseMap.TryFlush(database))
        {
            // More flushes than free physical databases since maintenance last ran: this caller does the reclaiming.
            Maintenance.ReclaimFlushedDatabases(caller);
        }

        Watches.Rekey(database);
    }

    private unsafe void ReleaseBlocks()
    {
        if (Blocks.LiveBlocks == 0)
        {
            return;
        }

        for (long page = 1; page <= Log.HighPage; page++)
        {
            int unit = 0;
            while (unit < Log.PageUnits && Log.Info(page)->State != PageInfo.Free)
            {
                byte* record = Log.Resolve(Log.AddressOf(page, unit));
                ulong header = *(ulong*)record;
                if (header == 0)
                {
                    break;
                }

                ReleaseBlocksOf(record, header);
                unit += RecordHeader.Units(header);
            }
        }
    }

    private unsafe void ReleaseBlocksOf(byte* record, ulong header)
    {
        if ((header & (RecordHeader.Dead | RecordHeader.BlockKey)) == RecordHeader.BlockKey)
        {
            Blocks.Release(RecordHeader.KeyBlockOf(record, header));
        }

        if ((header & (RecordHeader.Dead | RecordHeader.BlockValue)) == RecordHeader.BlockValue)
        {
            Blocks.Release(RecordHeader.ValueBlockOf(record, header));
        }
    }
}
