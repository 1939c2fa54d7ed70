// The store's memory limit and usage. Usable from any thread; the figures are sums over per-thread counters and slightly out of date.
using System.Diagnostics;

namespace Garnet.Store.Eviction;

/// <summary>
/// Two figures are kept apart. Memory taken from the system must stay within the limit, and only freeing pages lowers it. Memory in use
/// (live records, index, blocks, nodes) falls at once when a key is evicted. Its target is slightly below the limit, so that there are
/// always dead records for new ones to reuse; the target is lowered further by twice the amount by which system memory exceeds the limit,
/// which leaves pages emptier and thus cheaper to free until both fit. It is never lowered by more than a quarter of the limit: after a
/// large reduction of the limit, freeing pages takes a while, and evicting more keys would not help.
/// </summary>
internal sealed class MemoryBudget(HybridLogStore store)
{
    // A sixty-fourth of the limit is left for dead records and half-filled pages.
    private const int HeadroomShift = 6;

    // Above the limit by more than a thirty-second, threads that need memory wait for maintenance.
    private const int WaitShare = 32;
    private const int MaxSinkShare = 4;
    private const long MinHeadroomBytes = 64 * 1024;
    private readonly Lock _waiting = new();
    private TaskCompletionSource? _relief;
    private long _asked;
    private long _outside;
    private long _limit;
    private int _version;
    private long _exceededSince;
    private long _exceededTicks;
    private long _turnoverMs = long.MaxValue;
    private long _peakAllocated;
    private long _evictedScore = long.MaxValue;

    /// <summary>Keys that were evicted recently.</summary>
    public GhostFilter Evicted { get; } = new(store);

    /// <summary>Decides which keys evictors look at, for tests; null draws for each.</summary>
    public ulong? EvictionSeed { get; init; }

    /// <summary>The limit set by maxmemory, in bytes; 0 for none.</summary>
    public long MaxBytes
    {
        get => Volatile.Read(ref _asked);
        set
        {
            Volatile.Write(ref _asked, value);
            Settle();
        }
    }

    /// <summary>Bytes of the limit that are used by the rest of the process.</summary>
    public long OutsideBytes
    {
        get => Volatile.Read(ref _outside);
        set
        {
            Volatile.Write(ref _outside, value);
            Settle();
        }
    }

    /// <summary>
    /// Bytes that the store may take from the system; 0 for no limit. At least half of <see cref="MaxBytes"/>, however much the rest of the
    /// process takes.
    /// </summary>
    public long LimitBytes => Volatile.Read(ref _limit);

    /// <summary>Changes with the limit; credit granted under another version is invalid.</summary>
    public int Version => Volatile.Read(ref _version);

    /// <summary>
    /// Approximate time that an unused key stays before it is evicted; <see cref="long.MaxValue"/> before the first eviction.
    /// </summary>
    public long TurnoverMs
    {
        get => Volatile.Read(ref _turnoverMs);
        set => Volatile.Write(ref _turnoverMs, value);
    }

    /// <summary>Approximate policy score of the keys evicted recently.</summary>
    public long EvictedScore
    {
        get => Volatile.Read(ref _evictedScore);
        set => Volatile.Write(ref _evictedScore, value);
    }

    /// <summary>Bytes taken from the system.</summary>
    public long AllocatedBytes => store.Log.Bytes + store.Index.Bytes + store.Blocks.Bytes + store.Trees.Bytes + TierBytes;

    /// <summary>
    /// Bytes in use, with those of values on their way to disk; excluding dead records, memory kept for reuse, and memory about to be
    /// freed.
    /// </summary>
    public long LiveBytes =>
        store.Statistics.LiveRecordBytes
        + store.Log.TableBytes
        + store.Index.Bytes
        + store.Blocks.UsedBytes
        + Math.Max(0, store.Trees.LiveBytes - store.Trees.DroppedBytes)
        + TierBytes;

    /// <summary>Whether more memory is taken from the system than is tolerated, so that only what is written has to wait.</summary>
    public bool IsBeyondTolerance => LimitBytes is > 0 and long limit && AllocatedBytes > limit + Tolerance(limit);

    private long TierBytes => store.Tier?.BufferBytes ?? 0;

    /// <summary>Whether system memory exceeds the limit, so that pages have to be freed.</summary>
    public bool IsTight => LimitBytes is > 0 and long limit && AllocatedBytes > limit;

    /// <summary>
    /// Whether pages have to be freed though usage is within its target: fewer keys make some page worth emptying. Not where usage is so
    /// far below the limit that something else must have taken the memory.
    /// </summary>
    public bool IsTightByPages => IsTight && Excess(LimitBytes / MaxSinkShare) > 0;

    /// <summary>
    /// Whether keys were changed between the last two rounds of maintenance. If so, free memory is about to be used and need not be reduced
    /// at any cost.
    /// </summary>
    public bool HasWriters { get; set; }

    /// <summary>
    /// Bytes by which usage would exceed the target after allocating <paramref name="bytes"/> more; negative while there is space, which is
    /// always the case without a limit.
    /// </summary>
    public long Excess(long bytes)
    {
        long limit = LimitBytes;
        if (limit == 0)
            return long.MinValue / 2;

        long over =
            store.Eviction.Policy == EvictionPolicy.NoEviction && store.Tier is null
                ? 0
                : Math.Max(0, AllocatedBytes - limit - Math.Min(store.Log.PageBytes, limit >> HeadroomShift));
        return LiveBytes
            + bytes
            - (store.Tier?.LeavingBytes ?? 0)
            - (limit - Math.Max(limit >> HeadroomShift, Math.Min(limit / 4, MinHeadroomBytes)) - Math.Min(2 * over, limit / MaxSinkShare));
    }

    /// <summary>Whether system memory was too far above the limit when it was last checked.</summary>
    public bool IsOver => (store.Conditions.Raised & store.Conditions.Memory) != 0;

    /// <summary>Checks system memory again.</summary>
    public void Look()
    {
        long limit = LimitBytes;
        long allocated = AllocatedBytes;
        if (allocated > Volatile.Read(ref _peakAllocated))
            Volatile.Write(ref _peakAllocated, allocated);

        bool isOver = limit != 0 && allocated > limit + Tolerance(limit);
        // Compared with the bit itself: threads that look at the same time may set it in any order, and the next look corrects it.
        if (isOver != IsOver)
            store.Conditions.Set(store.Conditions.Memory, isOver);
    }

    /// <summary>The peak of memory taken from the system since the last call, among the values checked.</summary>
    public long TakePeakAllocated() => Interlocked.Exchange(ref _peakAllocated, 0);

    /// <summary>Total time during which usage exceeded its target, in milliseconds.</summary>
    public long ExceededMs => ToMs(Volatile.Read(ref _exceededTicks)) + ExceedingMs;

    /// <summary>Milliseconds since usage has exceeded its target; 0 when it does not.</summary>
    public long ExceedingMs => Volatile.Read(ref _exceededSince) is > 0 and long since ? ToMs(Stopwatch.GetTimestamp() - since) : 0;

    /// <summary>Records whether there was memory for a write, or whether it could be freed.</summary>
    public void RecordExceeded(bool isExceeded)
    {
        long since = Volatile.Read(ref _exceededSince);
        if (isExceeded == (since != 0))
            return;

        long now = Stopwatch.GetTimestamp();
        if (Interlocked.CompareExchange(ref _exceededSince, isExceeded ? now : 0, since) == since && !isExceeded)
            Interlocked.Add(ref _exceededTicks, now - since);
    }

    /// <summary>
    /// True when allocating this much would take system memory too far above the limit, so that the writer must wait for pages to be freed;
    /// false where waiting would not help.
    /// </summary>
    public bool MustWait(long bytes)
    {
        long limit = LimitBytes;
        return limit != 0
            && store.Maintenance.IsRunning
            && AllocatedBytes + bytes > limit + Tolerance(limit)
            && bytes <= limit
            && (Excess(bytes) <= 0 || KeyEvictor.HasCandidates(store) || store.Tier is { IsBehind: true });
    }

    /// <summary>Completes when maintenance has made further progress.</summary>
    public Task WaitAsync()
    {
        lock (_waiting)
        {
            if (!store.Maintenance.IsRunning)
                return Task.CompletedTask;

            _relief ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            store.Maintenance.Wake();
            return _relief.Task;
        }
    }

    /// <summary>Whether somebody waits for maintenance.</summary>
    public bool HasWaiters => Volatile.Read(ref _relief) is not null;

    /// <summary>Wakes waiting writers to check again. Called by maintenance after each round, and when it ends.</summary>
    public void ReleaseWaiters()
    {
        if (Volatile.Read(ref _relief) is null)
            return;

        lock (_waiting)
        {
            _relief?.TrySetResult();
            _relief = null;
        }
    }

    // Pages being filled while others are emptied are not worth waiting for.
    private long Tolerance(long limit) => Math.Max(limit / WaitShare, 2 * store.Log.PageBytes);

    private static long ToMs(long ticks) => ticks * 1000 / Stopwatch.Frequency;

    private void Settle()
    {
        long asked = MaxBytes;
        Volatile.Write(ref _limit, asked == 0 ? 0 : Math.Max(asked - OutsideBytes, (asked + 1) / 2));
        Interlocked.Increment(ref _version);
    }
}
