// The store's background work: its rounds are run by one thread, or by a test, and never overlap.

using System.Diagnostics;
using Garnet.Store.Memory;

namespace Garnet.Store.Maintenance;

/// <summary>Runs the parts of maintenance in turn, each for a bounded time.</summary>
internal sealed class StoreMaintenance(HybridLogStore store) : IDisposable
{
    private const int FirstIdleMs = 10;
    private const int MaxIdleMs = 80;
    private const int BusyMs = 1;
    private const int IndexStepsPerRound = 256;
    private const int ShrinksPerRound = 4;
    private const int CachedBlocksShare = 64;
    private static readonly TimeSpan StopPatience = TimeSpan.FromSeconds(10);
    private readonly Lock _rounds = new();
    private readonly ManualResetEventSlim _wake = new();
    private readonly FlushedDatabaseReclaimer _reclaimer = new(store);
    private readonly ActiveExpiry _expiry = new(store);
    private readonly PageCompactor _compactor = new(store);
    private readonly FrequencyDecay _decay = new(store);
    private readonly MemoryRelief _relief = new(store);
    private bool _isFilling;
    private bool _isStopping;
    private long _changesSeen;
    private StoreSession? _session;
    private Thread? _thread;

    /// <summary>Starts the background thread once.</summary>
    public void Start()
    {
        lock (_rounds)
        {
            if (_thread is null)
            {
                _thread = new Thread(Loop) { IsBackground = true, Name = "garnet-store-maintenance" };
                _thread.Start();
            }
        }
    }

    /// <summary>
    /// Whether maintenance removes expired keys that are not accessed (on by default). Reads and writes remove them in any case.
    /// </summary>
    public bool RemovesExpired { get; set; } = true;

    /// <summary>Raised after each search for expired keys, on its thread, with its duration in ticks of the stopwatch.</summary>
    public event Action<long>? ExpiryMeasured;

    /// <summary>
    /// Runs one round on the calling thread, which must not be in a batch; true when more is due at once. The background thread does
    /// nothing else.
    /// </summary>
    public bool Run()
    {
        lock (_rounds)
        {
            // Work that enters the kernel for memory is done outside of the epoch: a barrier must not wait for it.
            _session ??= store.OpenSession();
            store.Index.PrepareGrowth();
            long limit = store.Budget.LimitBytes;
            bool isTight = store.Budget.IsTight;
            store.Budget.HasWriters = HaveKeysChanged();
            _isFilling = !isTight && store.Log.PreparePages(limit);
            store.Blocks.UnmapFreed();
            store.Blocks.MaxCachedBytes = MaxCachedBlockBytes(limit, isTight);
            store.Blocks.Trim();
            long nowMs = store.Clock.ReadRunningMs();
            bool isDue = GiveBackIdle(limit, nowMs);
            isDue |= store.Trees.Maintain(isTight);
            store.Growth.GiveBack(store.Epochs);
            store.Epochs.Advance();
            _session.EnterBatch();
            isDue |= store.Growth.Grow(IndexStepsPerRound);
            isDue |= Shrink();
            isDue |= _reclaimer.Run(_session);
            _session.EndCommand();
            store.Accesses.Tick(nowMs);
            store.Budget.Evicted.Fit();
            isDue |= store.Accesses.Run(_session);
            _session.EndCommand();
            isDue |= _decay.Run(_session);
            _session.EndCommand();
            isDue |= _relief.Run(_session, _compactor.FoundNothing);
            _session.EndCommand();
            isDue |= RemovesExpired && !store.Holds.Expired() && store.Snapshots.HasSpace && RunExpiry(_session);
            _session.EndCommand();
            isDue |= _compactor.Run(_session);
            _session.LeaveBatch();
            store.Budget.Look();
            store.Budget.ReleaseWaiters();
            return isDue;
        }
    }

    /// <summary>Removes expired keys that are not accessed.</summary>
    public ActiveExpiry Expiry => _expiry;

    /// <summary>True while the background thread runs.</summary>
    public bool IsRunning => Volatile.Read(ref _thread) is not null && !Volatile.Read(ref _isStopping);

    /// <summary>Makes the background thread start its next round at once.</summary>
    public void Wake() => _wake.Set();

    /// <summary>Returns all memory that is only kept for reuse to the system. The caller must not be in a batch.</summary>
    public void Purge()
    {
        lock (_rounds)
        {
            store.Blocks.UnmapFreed();
            store.Blocks.MaxCachedBytes = 0;
            store.Blocks.Trim();
            store.Trees.Maintain(isTight: true);
            while (store.Log.TryGiveBackReady()) { }
        }
    }

    /// <summary>Removes all remaining records of flushed databases; the caller runs exclusively.</summary>
    public void ReclaimFlushedDatabases(StoreSession caller) => _reclaimer.RunAlone(caller);

    /// <inheritdoc/>
    public void Dispose()
    {
        Volatile.Write(ref _isStopping, true);
        _wake.Set();
        store.Budget.ReleaseWaiters();
        if (_thread is not null && !_thread.Join(StopPatience))
            Environment.FailFast("The store's maintenance thread did not stop.");

        _wake.Dispose();
    }

    private bool RunExpiry(StoreSession session)
    {
        if (ExpiryMeasured is not { } measured)
            return _expiry.Run(session);
        long start = Stopwatch.GetTimestamp();
        bool isDue = _expiry.Run(session);
        measured(Stopwatch.GetTimestamp() - start);
        return isDue;
    }

    private bool HaveKeysChanged()
    {
        long changes = store.Statistics.Changes;
        bool haveChanged = changes != _changesSeen;
        _changesSeen = changes;
        return haveChanged;
    }

    // Returns memory kept for reuse that has gone unused for some seconds: after many keys were removed, fewer are added.
    private bool GiveBackIdle(long limit, long nowMs)
    {
        bool isDue = store.Log.GiveBackIdle(limit, nowMs);
        isDue |= store.Index.MaintainOverflow(store.Epochs, nowMs);
        store.Blocks.GiveBackIdle(nowMs);
        store.Trees.GiveBackIdle(nowMs);
        return isDue;
    }

    // Merging is cheaper than splitting, and writers may be waiting for the memory.
    private bool Shrink()
    {
        bool isDue = true;
        for (int i = 0; i < ShrinksPerRound && isDue; i++)
        {
            isDue = store.Growth.Shrink(IndexStepsPerRound);
            _session!.EndCommand();
        }

        return isDue;
    }

    // While keys are being written, freed blocks are reused by new ones; without writers they would be kept for nothing.
    private long MaxCachedBlockBytes(long limit, bool isTight)
    {
        if (limit == 0)
            return BlockHeap.DefaultCachedBytes;

        return isTight && !store.Budget.HasWriters ? 0 : Math.Min(BlockHeap.DefaultCachedBytes, limit / CachedBlocksShare);
    }

    private void Loop()
    {
        int idleMs = FirstIdleMs;
        while (!Volatile.Read(ref _isStopping))
        {
            // Even with much to do it yields the processor between rounds, unless a writer waits for it: a burst of expiries must not slow
            // down clients. When idle it wakes up less and less often, as wake-ups cost the threads that serve clients on the same
            // processors.
            bool isBusy = Run() || _isFilling;
            _wake.Wait(isBusy ? BusyMs : idleMs);
            _wake.Reset();
            idleMs = isBusy ? FirstIdleMs : Math.Min(idleMs * 2, MaxIdleMs);
        }
    }
}
