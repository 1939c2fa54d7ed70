// The store: index, hybrid log, blocks, epochs and databases of one keyspace. Thread-safe; callers work through StoreSession.
using System.Diagnostics;
using Garnet.Store.Changes;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Trees;
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

/// <summary>Bytes by key on a hybrid log in native memory.</summary>
public sealed class HybridLogStore : IDisposable
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
            throw new PlatformNotSupportedException("The record format needs a little-endian machine.");
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
    /// The longest string a key may hold: lengths are 32-bit numbers, with room for what surrounds the bytes in requests, logs and files.
    /// </summary>
    public const int MaxStringBytes = int.MaxValue - 65_536;

    /// <summary>Number of logical databases.</summary>
    public int Databases => DatabaseMap.Databases;

    /// <summary>
    /// Where effects of writes go; null (the default) costs nothing. Set it only before sessions run or inside <see cref="RunExclusive"/>.
    /// </summary>
    public IWriteSink? Sink { get; set; }

    /// <summary>Who observes the changes of keys, in the order in which they are told.</summary>
    internal IKeyChangeObserver[] Observers { get; private set; } = [];

    /// <summary>Counters of what the store has done and holds.</summary>
    public StoreStatistics Statistics { get; }

    /// <summary>
    /// Bytes the data may take; 0 means no limit. May be changed at any time: what is too much goes within the next seconds, by the policy
    /// of <see cref="Eviction"/>.
    /// </summary>
    public long MaxMemoryBytes
    {
        get => Budget.MaxBytes;
        set => Budget.MaxBytes = value;
    }

    /// <summary>
    /// Bytes of <see cref="MaxMemoryBytes"/> that something else in the process takes, so that the store has to do without; it keeps half
    /// in any case.
    /// </summary>
    public long OutsideMemoryBytes
    {
        get => Budget.OutsideBytes;
        set => Budget.OutsideBytes = value;
    }

    /// <summary>
    /// The most bytes that the store had taken from the system since this was last asked; about, as it is looked at now and then.
    /// </summary>
    public long TakePeakAllocatedBytes() => Budget.TakePeakAllocated();

    /// <summary>
    /// True when the memory taken from the system was lately so far above the limit that those who need more may have to wait
    /// (<see cref="StoreSession.MustWaitForMemory"/>).
    /// </summary>
    public bool IsOverLimit => Budget.IsOver;

    /// <summary>Which keys go when memory is full. May be changed at any time; sessions follow with their next batch.</summary>
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
    /// Thresholds between the encodings of collections. May be changed at any time; collections follow at their next change.
    /// </summary>
    public CollectionLimits CollectionLimits { get; set; } = CollectionLimits.Default;

    internal int BlockThresholdBytes { get; }

    /// <summary>The checkpoint version that new and changed records carry.</summary>
    internal byte Version { get; private set; }

    /// <summary>The snapshot under way; set and cleared under the barrier.</summary>
    internal SnapshotRound? Snapshot { get; private set; }

    internal EpochTable Epochs { get; } = new();

    /// <summary>What a session outside of any batch holds: nothing.</summary>
    internal HeldLatches NoLatches => field ??= new HeldLatches(Index, Growth);

    internal HashIndex Index { get; } = new();

    internal BlockHeap Blocks { get; } = new();

    internal TreeStore Trees { get; }

    internal RecordLog Log { get; }

    internal DatabaseMap DatabaseMap { get; }

    internal IndexGrowth Growth { get; }

    internal WatchTable Watches { get; }

    internal AccessClock Accesses { get; }

    internal GhostFilter Evicted { get; }

    internal MemoryBudget Budget { get; }

    internal StoreMaintenance Maintenance { get; }

    /// <summary>
    /// Whether maintenance removes expired keys that nobody asks for (on by default). Reads and writes remove them in any case.
    /// </summary>
    public bool ActiveExpiry { get; set; } = true;

    /// <summary>
    /// Asked before an expired key is removed for a reader or in the background: while it says true, such keys stay, though readers do not
    /// see them. Writers remove them in any case.
    /// </summary>
    public Func<bool>? HoldsExpired { get; set; }

    /// <summary>
    /// While true it is the beginning of time, so that nothing has expired: effects that are replayed must find what they found. A session
    /// notices with its next batch.
    /// </summary>
    public bool IsClockStopped { get; set; }

    /// <summary>True between <see cref="BeginSnapshot"/> and <see cref="EndSnapshot"/>.</summary>
    public bool IsSnapshotActive => Snapshot != null;

    /// <summary>
    /// False while a snapshot is under way that has no room for a further image; background work that changes records rests until there is.
    /// </summary>
    internal bool HasSnapshotRoom => Snapshot is not { } round || round.Sink.HasRoom(0);

    /// <summary>Opens a session; one per connection or background worker, used by one thread at a time.</summary>
    public StoreSession OpenSession() => new(this);

    /// <summary>
    /// Gives a key whose large block others refer to a block of its own, copied without a latch, so that it can be changed in place. Does
    /// nothing when the key changes meanwhile. Takes as long as copying does; the caller is in no batch.
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

        // The reference that is held keeps writers from changing the block.
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

    /// <summary>Live keys of a logical database (expired ones not yet removed included, as Valkey's DBSIZE).</summary>
    public long KeyCount(int database) => Math.Max(0, KeysOfPhysical(DatabaseMap.PhysicalOf(database)));

    /// <summary>Keys of a logical database that carry an expiry.</summary>
    public unsafe long ExpiringKeyCount(int database) =>
        Math.Max(
            0,
            SumOfSlots(DatabaseMap.PhysicalOf(database), static (slot, physical) => Volatile.Read(ref slot.ExpiringKeys[physical]))
        );

    /// <summary>Hashes of a logical database with at least one field that carries an expiry, passed or not.</summary>
    public unsafe long VolatileHashCount(int database) =>
        Math.Max(
            0,
            SumOfSlots(DatabaseMap.PhysicalOf(database), static (slot, physical) => Volatile.Read(ref slot.VolatileHashes[physical]))
        );

    /// <summary>
    /// Milliseconds that the keys of a logical database which carry an expiry have left, on the average; 0 when none does.
    /// </summary>
    public unsafe long MeanTimeToLiveMs(int database)
    {
        long keys = ExpiringKeyCount(database);
        long sum = SumOfSlots(DatabaseMap.PhysicalOf(database), static (slot, physical) => Volatile.Read(ref slot.ExpirySums[physical]));
        return keys == 0 ? 0 : Math.Max(0, (sum / keys) + _builtAtMs - ReadClockMs());
    }

    /// <summary>
    /// When an expiry is due as a distance from the store's beginning that can be added up: what is more than seventy years away counts as
    /// that.
    /// </summary>
    internal long DueOf(long expiresAtMs) => Math.Clamp(expiresAtMs - _builtAtMs, -MaxDueMs, MaxDueMs);

    /// <summary>Runs an action while no other session is inside a command: one point in time. The caller must hold no latch.</summary>
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
    /// Says how many keys there will be soon, all databases together: the index is made for them now, which costs about 16 bytes a key, and
    /// kept so large until <see cref="EndExpectation"/>.
    /// </summary>
    /// <param name="caller">A session that is in no batch.</param>
    /// <param name="keys">The number of keys.</param>
    public void ExpectKeys(StoreSession caller, long keys)
    {
        ArgumentNullException.ThrowIfNull(caller);
        ArgumentOutOfRangeException.ThrowIfNegative(keys);
        caller.EnterBatch();
        Growth.Expect(caller, keys);
        caller.LeaveBatch();
    }

    /// <summary>All keys that <see cref="ExpectKeys"/> spoke of are there, or will not come.</summary>
    public void EndExpectation() => Growth.EndExpectation();

    /// <summary>Exchanges the contents of two databases, in constant time, between commands of everybody.</summary>
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

                // As in Valkey also of a database with itself.
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

    /// <summary>Empties all databases, in constant time, between commands of everybody.</summary>
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
    /// Begins a snapshot at one point in time, between commands of everybody: from here on the sink gets each key that is live now, once,
    /// as it is now. The caller holds no latch. Throws when a snapshot is under way.
    /// </summary>
    /// <param name="caller">The session of the calling thread, inside a batch or outside.</param>
    /// <param name="sink">Where the images go.</param>
    /// <param name="atFlip">Run at that very point, while nobody else is inside a command; it must be short.</param>
    public void BeginSnapshot(StoreSession caller, ISnapshotSink sink, Action? atFlip = null)
    {
        ArgumentNullException.ThrowIfNull(caller);
        ArgumentNullException.ThrowIfNull(sink);
        _snapshots.Begin(caller, sink, atFlip);
    }

    /// <summary>
    /// Hands up to <paramref name="records"/> records that nobody has written since the flip to the sink; false when the walk is done, and
    /// with it the snapshot complete. The caller is in a batch, holds no latch, and may wait between calls. One walker at a time.
    /// </summary>
    public bool WalkPages(StoreSession caller, ref SnapshotCursor cursor, int records) => _snapshots.Walk(caller, ref cursor, records);

    /// <summary>How much of the pages that a walk has to visit it has visited: 0 to 1.</summary>
    public double WalkedShare(in SnapshotCursor cursor) =>
        Snapshot is { } round ? Math.Clamp((cursor.Page - 1.0) / Math.Max(1, round.LastPage), 0, 1) : 1;

    /// <summary>Pages that the walk of the snapshot under way has to visit.</summary>
    public long SnapshotPages => Snapshot?.LastPage ?? 0;

    /// <summary>Ends the snapshot, complete or not; when it returns the sink is called no more.</summary>
    public void EndSnapshot(StoreSession caller)
    {
        ArgumentNullException.ThrowIfNull(caller);
        _snapshots.End(caller);
    }

    /// <summary>
    /// Does one round of maintenance on the calling thread, which must be inside no batch; true when more is due at once. The background
    /// thread of <see cref="StartMaintenance"/> does nothing else.
    /// </summary>
    public bool RunMaintenance() => Maintenance.Run();

    /// <summary>
    /// Gives memory back to the system that is only kept for reuse; what is dead follows through maintenance. The caller is in no batch.
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
    /// As <see cref="ReadClockMs()"/>; also tells at which of Stopwatch's timestamps that millisecond is over, or that nobody knows as the
    /// clock is another than the system's.
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
    /// As <see cref="ReadClockMs()"/>, though the clock be stopped: how long a key was idle has nothing to do with what has expired.
    /// </summary>
    internal long ReadRunningClockMs() => (_time.GetUtcNow().UtcTicks - DateTime.UnixEpoch.Ticks) / TimeSpan.TicksPerMillisecond;

    /// <summary>Keys of a physical database; exact when nobody changes it.</summary>
    internal unsafe long KeysOfPhysical(int physical) =>
        SumOfSlots(physical, static (slot, physical) => Volatile.Read(ref slot.Keys[physical]));

    // Each slot counts for itself, so what one took may be what another gave: only the sum says something.
    private long SumOfSlots(int physical, Func<EpochSlot, int, long> countOf)
    {
        long sum = 0;
        foreach (EpochSlot slot in Epochs.Slots)
        {
            sum += countOf(slot, physical);
        }

        return sum;
    }

    /// <summary>Under the barrier: the next version is current, and records of any other are old.</summary>
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
            // More flushes than physical databases since maintenance last ran: this caller pays.
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
