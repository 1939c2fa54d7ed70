// The store: index, hybrid log, blocks, epochs and databases of one keyspace. Thread-safe; callers work through StoreSession.
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
using Garnet.Store.Tiering;
using Garnet.Store.Watching;

namespace Garnet.Store;

/// <summary>A key-value store of bytes on a hybrid log in native memory.</summary>
internal sealed class HybridLogStore : IDisposable
{
    private EvictionSettings _eviction = EvictionSettings.Default;
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
            throw new PlatformNotSupportedException("The record format requires a little-endian machine.");

        Clock = new StoreClock(time);
        BlockThresholdBytes = options.BlockThresholdBytes;
        ulong seed = options.HashSeed ?? BitConverter.ToUInt64(SecureRandom.Bytes(sizeof(ulong)));
        Databases = new StoreDatabases(this, options.Databases, seed);
        Trees = new TreeStore(Blocks, SipHash.Mix(~seed));
        Log = new RecordLog(options.PageSizeBits, Epochs);
        Growth = new IndexGrowth(Index, Log, Databases.Map);
        Watches = new WatchTable(this);
        Accesses = new AccessClock(this, Clock.ReadMs());
        Maintenance = new StoreMaintenance(this);
        Snapshots = new StoreSnapshots(this);
        Statistics = new StoreStatistics(this);
        Budget = new MemoryBudget(this) { MaxBytes = options.MaxMemoryBytes, EvictionSeed = options.EvictionSeed };
    }

    /// <summary>
    /// Maximum length of a string value: lengths are 32-bit numbers, with a margin for what surrounds the bytes in requests, logs and
    /// files.
    /// </summary>
    public const int MaxStringBytes = int.MaxValue - 65_536;

    /// <summary>The clock.</summary>
    public StoreClock Clock { get; }

    /// <summary>The logical databases.</summary>
    public StoreDatabases Databases { get; }

    /// <summary>The receivers of changes: the write sink, and observers of keys.</summary>
    public ChangeFeed Changes { get; } = new();

    /// <summary>What keeps commands from running, or delays them.</summary>
    public Conditions Conditions { get; } = new();

    /// <summary>Snapshots at one point in time.</summary>
    public StoreSnapshots Snapshots { get; }

    /// <summary>The types of value, to which an application may add.</summary>
    public DataTypeTable Types { get; } = new();

    /// <summary>Counters of what the store has done and holds.</summary>
    public StoreStatistics Statistics { get; }

    /// <summary>Eviction policy and limits. May be changed at any time; sessions apply them from their next batch.</summary>
    public EvictionSettings Eviction
    {
        get => Volatile.Read(ref _eviction);
        set
        {
            ArgumentNullException.ThrowIfNull(value);
            Volatile.Write(ref _eviction, value);
            Accesses.FollowPolicy(Clock.ReadRunningMs());
        }
    }

    /// <summary>
    /// Thresholds between the encodings of collections. May be changed at any time; collections apply them at their next change.
    /// </summary>
    public CollectionLimits CollectionLimits { get; set; } = CollectionLimits.Default;

    internal int BlockThresholdBytes { get; }

    internal EpochTable Epochs { get; } = new();

    internal HashIndex Index { get; } = new();

    internal BlockHeap Blocks { get; } = new();

    internal TreeStore Trees { get; }

    internal RecordLog Log { get; }

    internal IndexGrowth Growth { get; }

    internal WatchTable Watches { get; }

    internal AccessClock Accesses { get; }

    internal MemoryBudget Budget { get; }

    internal StoreMaintenance Maintenance { get; }

    /// <summary>Values on disk; null where all of them are in memory.</summary>
    internal ColdTier? Tier { get; set; }

    /// <summary>When the store must not remove keys on its own.</summary>
    public RemovalHolds Holds { get; } = new();

    /// <summary>Opens a session, one per connection or background worker; it is used by one thread at a time.</summary>
    public StoreSession OpenSession() => new(this);

    /// <inheritdoc/>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0)
            return;

        Maintenance.Dispose();
        Tier?.Dispose();
        ReleaseBlocks();
        Log.Dispose();
        Index.Dispose();
        Trees.Dispose();
        Blocks.Dispose();
        Epochs.Dispose();
    }

    private unsafe void ReleaseBlocks()
    {
        if (Blocks.LiveBlocks == 0)
            return;

        for (long page = 1; page <= Log.HighPage; page++)
        {
            int unit = 0;
            while (unit < Log.PageUnits && Log.Info(page)->State != PageInfo.Free)
            {
                byte* record = Log.Resolve(Log.AddressOf(page, unit));
                ulong header = *(ulong*)record;
                if (header == 0)
                    break;

                ReleaseBlocksOf(record, header);
                unit += RecordHeader.Units(header);
            }
        }
    }

    private unsafe void ReleaseBlocksOf(byte* record, ulong header)
    {
        if ((header & (RecordHeader.Dead | RecordHeader.BlockKey)) == RecordHeader.BlockKey)
            Blocks.Release(RecordHeader.KeyBlockOf(record, header));

        if ((header & (RecordHeader.Dead | RecordHeader.BlockValue)) == RecordHeader.BlockValue && !ColdRecord.IsStub(record, header))
            Blocks.Release(RecordHeader.ValueBlockOf(record, header));
    }
}
