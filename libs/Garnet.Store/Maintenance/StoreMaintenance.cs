// The store's background work: one thread, or a test, runs its rounds; rounds never overlap.

namespace Garnet.Store;

/// <summary>Runs the parts of maintenance in turn, each for a bounded time.</summary>
internal sealed class StoreMaintenance(HybridLogStore store) : IDisposable
{
    private const int IdleMs = 10;
    private static readonly TimeSpan StopPatience = TimeSpan.FromSeconds(10);
    private readonly Lock _rounds = new();
    private readonly ManualResetEventSlim _stop = new();
    private readonly Scrubber _scrubber = new(store);
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
            _session ??= store.OpenSession();
            store.Epochs.Advance();
            _session.EnterBatch();
            bool isDue = store.Growth.Grow(splits: 64);
            isDue |= _scrubber.Run(_session);
            _session.LeaveBatch();
            return isDue;
        }
    }

    /// <summary>Removes what is left of all flushed databases; the caller runs alone.</summary>
    public void ScrubAll(StoreSession caller) => _scrubber.RunAlone(caller);

    /// <inheritdoc/>
    public void Dispose()
    {
        _stop.Set();
        if (_thread != null && !_thread.Join(StopPatience))
        {
            Environment.FailFast("The store's maintenance does not stop.");
        }

        _stop.Dispose();
    }

    private void Loop()
    {
        while (!_stop.IsSet)
        {
            if (Run())
            {
                Thread.Yield();
            }
            else
            {
                _stop.Wait(IdleMs);
            }
        }
    }
}
