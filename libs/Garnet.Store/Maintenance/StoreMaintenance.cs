// The store's background work: one thread, or a test, runs its rounds; rounds never overlap.

namespace Garnet.Store;

/// <summary>Runs the parts of maintenance in turn, each for a bounded time.</summary>
internal sealed class StoreMaintenance(HybridLogStore store) : IDisposable
{
    private const int FirstIdleMs = 10;
    private const int MostIdleMs = 80;
    private const int BusyMs = 1;
    private const int IndexStepsPerRound = 256;
    private const int CachedBlocksShare = 64;
    private static readonly TimeSpan StopPatience = TimeSpan.FromSeconds(10);
    private readonly Lock _rounds = new();
    private readonly ManualResetEventSlim _stop = new();
    private readonly Scrubber _scrubber = new(store);
    private readonly ActiveExpiry _expiry = new(store);
    private readonly Cleaner _cleaner = new(store);
    private readonly FrequencyDecay _decay = new(store);
    private readonly MemoryRelief _relief = new(store);
    private bool _isFilling;
    private StoreSession? _session;
    private Thread? _thread;

    /// <summary>Starts the background thread once.</summary>
    public void Start()
    {
        lock (_rounds)
        {
            if (_thread == null)
            {
                _thread = new Thread(Loop) { IsBackground = true, Name = "garnet-store-maintenance" };
                _thread.Start();
            }
        }
    }

    /// <summary>One round; true when more is due at once.</summary>
    public bool Run()
    {
        lock (_rounds)
        {
            // What makes the system work on memory is done outside of the epoch: a barrier must not wait for it.
            _session ??= store.OpenSession();
            store.Index.PrepareGrowth();
            long limit = store.Budget.LimitBytes;
            bool isTight = store.Budget.IsTight;
            _isFilling = store.Log.PreparePages(limit);
            store.Blocks.UnmapFreed();
            store.Blocks.MostCachedBytes = limit == 0 ? BlockHeap.DefaultCachedBytes : Math.Min(BlockHeap.DefaultCachedBytes, limit / CachedBlocksShare);
            store.Blocks.Trim();
            bool isDue = store.Trees.Maintain(isTight);
            store.Epochs.Advance();
            _session.EnterBatch();
            isDue |= store.Growth.Grow(IndexStepsPerRound);
            isDue |= store.Growth.Shrink(IndexStepsPerRound);
            store.Growth.GiveBack(store.Epochs);
            isDue |= _scrubber.Run(_session);
            _session.EndCommand();
            store.Accesses.Tick(_session.NowMs);
            isDue |= store.Accesses.Run(_session);
            _session.EndCommand();
            isDue |= _decay.Run(_session);
            _session.EndCommand();
            isDue |= _relief.Run(_session);
            _session.EndCommand();
            isDue |= store.ActiveExpiry && _expiry.Run(_session);
            _session.EndCommand();
            isDue |= _cleaner.Run(_session);
            _session.LeaveBatch();
            store.Budget.Look();
            store.Budget.ReleaseWaiters();
            return isDue;
        }
    }

    /// <summary>True while the background thread runs.</summary>
    public bool IsRunning => Volatile.Read(ref _thread) != null && !_stop.IsSet;

    /// <summary>Gives everything back to the system that is only kept for reuse. The caller is in no batch.</summary>
    public void Purge()
    {
        lock (_rounds)
        {
            store.Blocks.UnmapFreed();
            store.Blocks.MostCachedBytes = 0;
            store.Blocks.Trim();
            store.Trees.Maintain(isTight: true);
        }
    }

    /// <summary>Removes what is left of all flushed databases; the caller runs alone.</summary>
    public void ScrubAll(StoreSession caller) => _scrubber.RunAlone(caller);

    /// <inheritdoc/>
    public void Dispose()
    {
        _stop.Set();
        store.Budget.ReleaseWaiters();
        if (_thread != null && !_thread.Join(StopPatience))
        {
            Environment.FailFast("The store's maintenance does not stop.");
        }

        _stop.Dispose();
    }

    private void Loop()
    {
        int idleMs = FirstIdleMs;
        while (!_stop.IsSet)
        {
            // Even with much to do it leaves the processor between rounds: a burst of expiries must not be felt.
            // With nothing to do it wakes ever less often, as its wakes cost the threads that serve clients on the same processors.
            bool isBusy = Run() || _isFilling;
            _stop.Wait(isBusy ? BusyMs : idleMs);
            idleMs = isBusy ? FirstIdleMs : Math.Min(idleMs * 2, MostIdleMs);
        }
    }
}
