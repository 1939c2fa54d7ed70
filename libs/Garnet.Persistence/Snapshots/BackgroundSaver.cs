// Takes snapshots of a store, one at a time, each on its own thread; others wait in a queue. Thread-safe.
using Garnet.Persistence.Files;
using Garnet.Store;
using Garnet.Store.Snapshots;

namespace Garnet.Persistence.Snapshots;

/// <summary>
/// Saves while clients work. The snapshot contains exactly the data at its flip, which is over when <see cref="TryStart"/> returns, or
/// comes when it is the turn of a queued save; it is written to a temporary file, made durable, and renamed over the previous file, so that
/// the file with the final name is complete at any moment.
/// </summary>
internal sealed class BackgroundSaver : IDisposable
{
    // Each processor may have chunks that are not full yet.
    private static readonly long MinPoolBytes = Math.Max(8L << 20, 4L * SnapshotBuffer.ChunkBytes * Environment.ProcessorCount);
    private const long MaxPoolBytes = 512L << 20;

    // Divisor of the store's memory: the process grows by at most a twentieth with it.
    private const int PoolShare = 32;
    private readonly HybridLogStore _store;
    private readonly IDisk _disk;
    private readonly TimeProvider _time;
    private readonly Func<int?> _flushDelayMs;

    // Held for a few instructions, never while the barrier is raised: threads inside the epoch, which the barrier waits for, take it too.
    private readonly Lock _gate = new();
    private readonly List<QueuedSave> _waiting = []; // empty while there is no current save
    private volatile QueuedSave? _current;
    private volatile bool _isStopped;

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

    /// <summary>
    /// Raised when a save has begun, on the thread that made its flip, before anything is written: a short save may finish before
    /// <see cref="TryStart"/> returns.
    /// </summary>
    public event Action<SaveRequest, SaveProgress>? Started;

    /// <summary>Raised at the end of each save, on its thread, while the save still counts as in progress.</summary>
    public event Action<SaveOutcome>? Completed;

    /// <summary>The progress of the current save; null when there is none, or its flip is still to come.</summary>
    public SaveProgress? Progress => _current?.Job?.Progress;

    /// <summary>As <see cref="Progress"/>, but null when the current save is not one with this tag.</summary>
    public SaveProgress? ProgressOf(object tag) => _current is { } current && current.Request.Tag == tag ? current.Job?.Progress : null;

    /// <summary>True when no further save can begin.</summary>
    public bool IsStopped => _isStopped;

    /// <summary>
    /// Starts a save of the store's present content; false when one is in progress or waits, or the saver is stopped. The caller may be
    /// inside a batch but holds no latch; it waits for the barrier, not for the disk.
    /// </summary>
    /// <param name="caller">The calling thread's session.</param>
    /// <param name="request">What to save and where.</param>
    /// <param name="done">Completes at the end of the save; never faulted.</param>
    public bool TryStart(StoreSession caller, SaveRequest request, out Task<SaveOutcome> done)
    {
        ArgumentNullException.ThrowIfNull(caller);
        ArgumentNullException.ThrowIfNull(request);
        QueuedSave save = new(request, SaveTurn.Next);
        done = save.Done;
        lock (_gate)
        {
            if (_isStopped || _current is not null)
                return false;
            _current = save;
        }

        if (TryFlip(caller, save))
            StartThread(() => Write(save));
        else
            done.GetAwaiter().GetResult(); // throws what the flip threw
        return true;
    }

    /// <summary>
    /// Saves the store's content at the moment of this save's turn, which includes everything before the call; the saver's thread raises
    /// the barrier. A save that never begins, because of the token or because the saver is stopped, counts as cancelled.
    /// </summary>
    /// <param name="request">What to save and where.</param>
    /// <param name="turn">Its place among other saves.</param>
    /// <param name="cancellation">Takes it out of the queue, or cancels it.</param>
    /// <returns>The end of the save. Faulted with what <see cref="SaveRequest.AtFlip"/> threw, and only then.</returns>
    public Task<SaveOutcome> SaveAsync(SaveRequest request, SaveTurn turn, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(request);
        QueuedSave save = new(request, turn);
        Enqueue(save, mayFollow: static _ => true);
        return AwaitAsync(save, cancellation);
    }

    /// <summary>
    /// As <see cref="SaveAsync"/> in the next turn, but only if every save before it has the request's tag; false if it would have to wait
    /// for another.
    /// </summary>
    /// <param name="request">What to save and where.</param>
    /// <param name="done">The end of the save.</param>
    public bool TrySaveAfterOwn(SaveRequest request, out Task<SaveOutcome> done)
    {
        ArgumentNullException.ThrowIfNull(request);
        QueuedSave save = new(request, SaveTurn.Next);
        done = save.Done;
        return Enqueue(save, mayFollow: other => other.Request.Tag == request.Tag);
    }

    /// <summary>
    /// Asks the current save to stop if it has this tag; false when there is none. It ends soon, or succeeds if it is past the last byte.
    /// </summary>
    public bool Cancel(object? tag)
    {
        lock (_gate)
        {
            if (_current is not { } current || current.Request.Tag != tag)
                return false;
            current.Cancel();
            return true;
        }
    }

    /// <summary>Cancels the current save and those that wait; none begins any more.</summary>
    public void Stop()
    {
        QueuedSave[] refused;
        lock (_gate)
        {
            _isStopped = true;
            refused = [.. _waiting];
            _waiting.Clear();
            _current?.Cancel();
        }

        foreach (QueuedSave save in refused)
            save.Refuse();
    }

    /// <summary>Stops, and waits for the end of the current save.</summary>
    public void Dispose()
    {
        Stop();
        // Not its result: whoever requested it gets that.
        if (_current is { } last)
            Task.WaitAny(last.Done);
    }

    private async Task<SaveOutcome> AwaitAsync(QueuedSave save, CancellationToken cancellation)
    {
        using CancellationTokenRegistration registration = cancellation.UnsafeRegister(_ => Cancel(save), null);
        return await save.Done.ConfigureAwait(false);
    }

    // False, with nothing changed, when it may not follow a save that comes before it.
    private bool Enqueue(QueuedSave save, Func<QueuedSave, bool> mayFollow)
    {
        bool isRefused;
        bool begins = false;
        lock (_gate)
        {
            if (_current is { } current && !(mayFollow(current) && _waiting.TrueForAll(each => mayFollow(each))))
                return false;
            isRefused = _isStopped;
            if (!isRefused && _current is null)
            {
                _current = save;
                begins = true;
            }
            else if (!isRefused)
            {
                Insert(save);
            }
        }

        if (isRefused)
            save.Refuse();
        if (begins)
            StartThread(() => Begin(save));
        return true;
    }

    private void Insert(QueuedSave save)
    {
        int place = save.Turn == SaveTurn.Instead ? _waiting.FindIndex(static each => each.Turn != SaveTurn.Instead) : -1;
        _waiting.Insert(place < 0 ? _waiting.Count : place, save);
        if (save.Turn == SaveTurn.Instead)
            _current!.Cancel();
    }

    private void Cancel(QueuedSave save)
    {
        bool isTaken;
        lock (_gate)
        {
            isTaken = _waiting.Remove(save);
            if (!isTaken && _current == save)
                save.Cancel();
        }

        if (isTaken)
            save.Refuse();
    }

    // Lowered priorities cannot be raised again: each save has a thread of its own.
    private static void StartThread(ThreadStart run) => new Thread(run) { IsBackground = true, Name = "garnet-saver" }.Start();

    private void Begin(QueuedSave save)
    {
        bool hasFlipped;
        using (StoreSession session = _store.OpenSession())
            hasFlipped = TryFlip(session, save);
        if (hasFlipped)
            Write(save);
    }

    // False, with the exception in its task, when it threw.
    private bool TryFlip(StoreSession caller, QueuedSave save)
    {
        var job = new SaveJob(
            _store,
            _disk,
            _time,
            save.Request,
            _flushDelayMs,
            Math.Clamp(_store.Statistics.AllocatedBytes / PoolShare, MinPoolBytes, MaxPoolBytes)
        );
        try
        {
            job.Flip(caller);
        }
        catch (Exception e)
        {
            // No snapshot was taken, and the next save can begin. The requester gets the exception.
            job.Abandon();
            save.Request.Lease?.Dispose();
            BeginNext();
            save.Fail(e);
            return false;
        }

        lock (_gate)
            save.Begin(job);
        Started?.Invoke(save.Request, job.Progress);
        return true;
    }

    private void Write(QueuedSave save)
    {
        // Unless a client waits for it. On two busy processors clients keep 97 % of their throughput during a save instead of 83 %, because
        // a saver with the same priority interrupts them each time it wakes.
        if (!save.Request.IsUrgent)
            BackgroundPriority.Lower();
        SaveOutcome outcome = save.Job!.Execute();
        save.Request.Lease?.Dispose();
        Completed?.Invoke(outcome);
        BeginNext();
        save.Complete(outcome);
    }

    private void BeginNext()
    {
        QueuedSave? next;
        lock (_gate)
        {
            next = _waiting.Count > 0 ? _waiting[0] : null;
            if (next is not null)
                _waiting.RemoveAt(0);
            // As one that is queued while another runs, a second one ends the first.
            if (_waiting is [{ Turn: SaveTurn.Instead }, ..])
                next!.Cancel();
            _current = next;
        }

        if (next is not null)
            StartThread(() => Begin(next));
    }
}
