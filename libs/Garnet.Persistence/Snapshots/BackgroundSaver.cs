// Takes snapshots of a store, one at a time, each on a thread of its own. Thread-safe.
using Garnet.Persistence.Files;
using Garnet.Store;
using Garnet.Store.Snapshots;

namespace Garnet.Persistence.Snapshots;

/// <summary>
/// Saves while clients work. The snapshot holds exactly what is there when <see cref="TryStart"/> returns; it is written aside, made
/// durable, and put in the place of the file before it in one step, so that at any moment the file under the name is a complete one.
/// </summary>
public sealed class BackgroundSaver : IDisposable
{
    // Each processor may have chunks that are not full yet.
    private static readonly long MinPoolBytes = Math.Max(8L << 20, 4L * SnapshotBuffer.ChunkBytes * Environment.ProcessorCount);
    private const long MaxPoolBytes = 512L << 20;

    // Of the store's memory: with it the process stays within a twentieth above.
    private const int PoolShare = 32;
    private const int Idle = 0;
    private const int Busy = 1;
    private const int Disposed = 2;
    private readonly HybridLogStore _store;
    private readonly IDisk _disk;
    private readonly TimeProvider _time;
    private readonly Func<int?> _flushDelayMs;
    private volatile SaveJob? _job;

    // Not a lock: who waited for one inside the epoch would keep the flip's barrier from being raised by its holder.
    private int _state = Idle;

    /// <summary>Makes a saver that saves nothing yet. It must be disposed before the store.</summary>
    /// <param name="store">What is saved.</param>
    /// <param name="disk">Where to.</param>
    /// <param name="time">The clock.</param>
    /// <param name="flushDelayMs">
    /// The pace, asked anew all the time: milliseconds between pieces, 0 to yield only, -1 for none, null to follow the foreground.
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

    /// <summary>
    /// Raised when a save has begun, on the caller's thread, before anything is written: a short save may be over before
    /// <see cref="TryStart"/> returns.
    /// </summary>
    public event Action<SaveRequest, SaveProgress>? Started;

    /// <summary>Raised at the end of each save, on its thread, while it still counts as under way.</summary>
    public event Action<SaveOutcome>? Completed;

    /// <summary>The save under way, or null.</summary>
    public SaveProgress? Progress => _job?.Progress;

    /// <summary>True when no save can be begun any more.</summary>
    public bool IsDisposed => Volatile.Read(ref _state) == Disposed;

    /// <summary>What the save under way was asked for, or null.</summary>
    public SaveRequest? Order => _job?.Order;

    /// <summary>
    /// Begins a save of what is in the store now; false when one is under way, or the saver is disposed. The caller may be inside a batch
    /// and holds no latch; it waits for the barrier, not for the disk.
    /// </summary>
    /// <param name="caller">The calling thread's session.</param>
    /// <param name="request">What to save where.</param>
    /// <param name="done">The end of the save; never faulted.</param>
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
            job.Flip(caller);
        }
        catch
        {
            // There is no snapshot, and the next save can begin.
            request.Lease?.Dispose();
            Volatile.Write(ref _state, Idle);
            throw;
        }

        _job = job;
        Started?.Invoke(request, job.Progress);
        new Thread(() => Run(job, end)) { IsBackground = true, Name = "garnet-saver" }.Start();
        return true;
    }

    /// <summary>
    /// Asks the save under way to give up; false when there is none. It ends soon, or successfully when it is past the last byte.
    /// </summary>
    public bool Cancel()
    {
        SaveJob? job = _job;
        job?.Cancel();
        return job != null;
    }

    /// <summary>Gives up a save under way and waits for its end; no other can be begun.</summary>
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
        // Unless somebody waits for it. On two busy processors that leaves clients 97 % of their throughput during a save instead of 83 %,
        // since a saver of equal rank interrupts them each time it wakes.
        if (!job.Order.IsUrgent)
            ThreadRank.GoBehind();
        SaveOutcome outcome = job.Execute();
        job.Order.Lease?.Dispose();
        Completed?.Invoke(outcome);
        _job = null;
        Volatile.Write(ref _state, Idle);
        end.SetResult(outcome);
    }
}
