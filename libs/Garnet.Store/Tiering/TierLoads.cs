// Reads of values on disk. Thread-safe.
namespace Garnet.Store.Tiering;

/// <summary>
/// A value that has been read waits here for the command that needs it, which takes it under the latch of its key. One that nobody takes,
/// because its client is gone, is dropped after a while. What all of them take is bounded: a command begins its reads together or, when
/// there is no space, waits until others have taken theirs.
/// </summary>
internal sealed unsafe class TierLoads(HybridLogStore store, ColdTier tier, ITierDevice device) : IDisposable
{
    private const long MinLimitBytes = 16L << 20;
    private const int LimitShare = 64;
    private const int KeptMs = 1000;
    private static readonly TimeSpan PatienceUnderBarrier = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan PatienceAtEnd = TimeSpan.FromSeconds(10);
    private readonly Lock _gate = new();
    private readonly Dictionary<ColdLocator, TierLoad> _loads = [];
    private TaskCompletionSource? _space;
    private long _bytes;
    private int _running;

    /// <summary>The disk.</summary>
    public ITierDevice Device => device;

    /// <summary>Memory of reads under way and of values that wait.</summary>
    public long Bytes => Volatile.Read(ref _bytes);

    /// <summary>Reads that the device has not answered.</summary>
    public int Running => Volatile.Read(ref _running);

    /// <summary>What reads may take together, and those of one command.</summary>
    public long LimitBytes => Math.Max(MinLimitBytes, store.Budget.LimitBytes / LimitShare);

    /// <summary>Whether a value has been read, so that <see cref="TryTake"/> would most likely return it.</summary>
    public bool Has(ColdLocator locator)
    {
        lock (_gate)
            return _loads.TryGetValue(locator, out TierLoad? load) && load.IsDone;
    }

    /// <summary>Takes a value that has been read, or the error; the caller gives it back by <see cref="Free"/>.</summary>
    public bool TryTake(ColdLocator locator, out TierLoad? load)
    {
        lock (_gate)
            return _loads.TryGetValue(locator, out load) && load.IsDone && _loads.Remove(locator);
    }

    /// <summary>A value that was taken is not needed any more.</summary>
    public void Free(TierLoad load)
    {
        lock (_gate)
            Drop(load);
    }

    /// <summary>
    /// Begins reads, or shares those that are under way. The task completes when all are over, or, when there is no space for them yet,
    /// when there is some; then everything is asked again. Null when they take more than one command may.
    /// </summary>
    public Task? Begin(IReadOnlyList<(ColdLocator Locator, ulong Hash)> values)
    {
        List<TierLoad> begun = [];
        LoadWait wait;
        lock (_gate)
        {
            long needed = 0;
            long all = 0;
            foreach ((ColdLocator locator, _) in values)
            {
                long bytes = locator.Bytes + (2L * device.Alignment);
                all += bytes;
                needed += _loads.ContainsKey(locator) ? 0 : bytes;
            }

            if (all > LimitBytes)
                return null;
            if (_bytes + needed > LimitBytes)
                return (_space ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
            wait = BeginAll(values, begun);
        }

        foreach (TierLoad load in begun)
            device.Read(load.From, load.Memory, load.Bytes, error => End(load, error));
        return wait.Task;
    }

    /// <summary>Reads a value at once. For a caller that excludes all others.</summary>
    /// <param name="locator">Where it is.</param>
    /// <param name="hash">The hash of its key.</param>
    /// <param name="isPatient">Whether to wait as long as a command that does not exclude others would; else a second.</param>
    /// <exception cref="ColdValueException">It cannot be read, or not within that time.</exception>
    public byte[] ReadNow(ColdLocator locator, ulong hash, bool isPatient = false)
    {
        var load = new TierLoad(locator, hash, device.Alignment);
        using var over = new ManualResetEventSlim();
        tier.Statistics.Read(isUnderBarrier: true);
        device.Read(
            load.From,
            load.Memory,
            load.Bytes,
            error =>
            {
                if (load.TryEndAlone(error))
                    over.Set();
            }
        );
        if (!over.Wait(isPatient ? TimeSpan.FromSeconds(tier.Options.ReadTimeoutSeconds) : PatienceUnderBarrier) && load.TryGiveUpAlone())
            throw new ColdValueException("the disk did not answer in time");
        int failed = load.Error;
        byte[] value = failed == 0 ? load.Value.ToArray() : [];
        bool isCurrent = failed == 0 && load.Generation == tier.Segments.GenerationOf(tier.Segments.SegmentOf(locator.Position));
        load.Free();
        if (isCurrent)
            return value;
        tier.Statistics.ReadFailed(failed);
        throw new ColdValueException($"the disk has lost it (error {failed})");
    }

    /// <summary>Drops values that nobody took, and gives up reads that do not come back. Called by the mover.</summary>
    public void Tidy()
    {
        long nowMs = Environment.TickCount64;
        lock (_gate)
        {
            foreach (TierLoad load in _loads.Values)
            {
                long age = nowMs - load.ChangedAtMs;
                if (load.IsDone && age > KeptMs)
                {
                    _loads.Remove(load.Locator);
                    Drop(load);
                }
                else if (!load.IsDone && age > tier.Options.ReadTimeoutSeconds * 1000L)
                {
                    tier.Statistics.ReadFailed(TierLoad.Late);
                    load.GiveUp();
                    Release(load);
                }
            }
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        // The device still writes into the memory of reads that it has not answered.
        if (!SpinWait.SpinUntil(() => Running == 0, PatienceAtEnd))
            return;
        lock (_gate)
        {
            foreach (TierLoad load in _loads.Values)
                load.Free();
            _loads.Clear();
        }
    }

    private LoadWait BeginAll(IReadOnlyList<(ColdLocator Locator, ulong Hash)> values, List<TierLoad> begun)
    {
        List<TierLoad> pending = [];
        foreach ((ColdLocator locator, ulong hash) in values)
        {
            if (!_loads.TryGetValue(locator, out TierLoad? load))
            {
                load = new TierLoad(locator, hash, device.Alignment);
                _loads.Add(locator, load);
                begun.Add(load);
                Interlocked.Add(ref _bytes, load.Bytes);
                Interlocked.Increment(ref _running);
                tier.Statistics.Read(isUnderBarrier: false);
            }

            if (!load.IsDone)
                pending.Add(load);
        }

        // One more, so that reads which are over already need no case of their own.
        var wait = new LoadWait(pending.Count + 1);
        foreach (TierLoad load in pending)
            load.Waits.Add(wait);
        wait.EndOne();
        return wait;
    }

    private void End(TierLoad load, int error)
    {
        lock (_gate)
        {
            Interlocked.Decrement(ref _running);
            load.End(error);
            if (load.Error != 0)
                tier.Statistics.ReadFailed(load.Error);
            if (load.IsDropped)
                Drop(load);
            else
                Release(load);
        }
    }

    private static void Release(TierLoad load)
    {
        foreach (LoadWait wait in load.Waits)
            wait.EndOne();
        load.Waits.Clear();
    }

    // The memory of a read that was given up belongs to the device until it answers.
    private void Drop(TierLoad load)
    {
        load.IsDropped = true;
        if (!load.IsAnswered)
            return;
        Interlocked.Add(ref _bytes, -load.Bytes);
        load.Free();
        _space?.SetResult();
        _space = null;
    }
}
