// What the store may take and what it takes. Any thread; numbers are sums over threads' cells and so a moment old.
using System.Diagnostics;

namespace Garnet.Store.Eviction;

/// <summary>
/// Two numbers are kept apart. What is taken from the system must stay at the limit, and only freed pages lower it. What is in use (live
/// records, index, blocks, nodes) is what evicting a key lowers at once; its target lies a little below the limit, so that there are always
/// dead records for new ones to take, and sinks by twice what the system's memory is too much, which makes pages emptier and so cheaper to
/// free until both fit, but never by more than a quarter of the limit: after the limit was lowered much, freeing pages takes a while in
/// which no more keys need go.
/// </summary>
internal sealed class MemoryBudget(HybridLogStore store)
{
    // A sixty-fourth of the limit is left to dead records and half-filled pages.
    private const int HeadroomShift = 6;

    // From a thirty-second above the limit on, whoever needs memory waits for maintenance.
    private const int WaitShare = 32;
    private const int MaxSinkShare = 4;
    private const long MinHeadroomBytes = 64 * 1024;
    private const long MaxCreditBytes = 64 * 1024;
    private readonly Lock _waiting = new();
    private TaskCompletionSource? _relief;
    private long _asked;
    private long _outside;
    private long _limit;
    private int _version;
    private bool _isOver;
    private long _exceededSince;
    private long _exceededTicks;
    private long _turnoverMs = long.MaxValue;
    private long _peakAllocated;
    private long _evictedScore = long.MaxValue;

    /// <summary>Bytes asked for with maxmemory; 0 for no limit.</summary>
    public long MaxBytes
    {
        get => Volatile.Read(ref _asked);
        set
        {
            Volatile.Write(ref _asked, value);
            Settle();
        }
    }

    /// <summary>Bytes of the limit that the store has to leave to the rest of the process.</summary>
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
    /// Bytes the store may take from the system; 0 for no limit. At least half of what was asked for, however much the rest of the process
    /// takes.
    /// </summary>
    public long LimitBytes => Volatile.Read(ref _limit);

    /// <summary>Changes with the limit, so that credit given under another one is void.</summary>
    public int Version => Volatile.Read(ref _version);

    /// <summary>
    /// About how long a key that was not used again stayed before it was evicted; <see cref="long.MaxValue"/> before any was.
    /// </summary>
    public long TurnoverMs
    {
        get => Volatile.Read(ref _turnoverMs);
        set => Volatile.Write(ref _turnoverMs, value);
    }

    /// <summary>About how good to lose those were that were evicted lately, by the scores of the policy.</summary>
    public long EvictedScore
    {
        get => Volatile.Read(ref _evictedScore);
        set => Volatile.Write(ref _evictedScore, value);
    }

    /// <summary>Bytes taken from the system.</summary>
    public long AllocatedBytes => store.Log.Bytes + store.Index.Bytes + store.Blocks.Bytes + store.Trees.Bytes;

    /// <summary>Bytes in use, without what is dead, kept for reuse, or on its way to be freed.</summary>
    public long LiveBytes =>
        store.Statistics.LiveRecordBytes
        + store.Log.TableBytes
        + store.Index.Bytes
        + store.Blocks.UsedBytes
        + Math.Max(0, store.Trees.LiveBytes - store.Trees.DroppedBytes);

    /// <summary>Whether the system's memory is more than the limit allows: pages have to be freed.</summary>
    public bool IsTight => LimitBytes is > 0 and long limit && AllocatedBytes > limit;

    /// <summary>
    /// Whether keys were changed between the last two rounds of maintenance: then what is free is about to be used, and need not be made
    /// less at any price.
    /// </summary>
    public bool HasWriters { get; set; }

    /// <summary>
    /// Bytes that are in use beyond the target once so many more are; negative while there is room, as there always is without a limit.
    /// </summary>
    public long Excess(long bytes)
    {
        long limit = LimitBytes;
        if (limit == 0)
        {
            return long.MinValue / 2;
        }

        long over =
            store.Eviction.Policy == EvictionPolicy.NoEviction
                ? 0
                : Math.Max(0, AllocatedBytes - limit - Math.Min(store.Log.PageBytes, limit >> HeadroomShift));
        return LiveBytes
            + bytes
            - (limit - Math.Max(limit >> HeadroomShift, Math.Min(limit / 4, MinHeadroomBytes)) - Math.Min(2 * over, limit / MaxSinkShare));
    }

    /// <summary>How much a thread may write before it has to ask again, when so much room is left.</summary>
    public static long CreditFor(long roomBytes) => Math.Min(MaxCreditBytes, roomBytes / 16);

    /// <summary>Whether the system's memory was too far above the limit when it was last looked at.</summary>
    public bool IsOver => Volatile.Read(ref _isOver);

    /// <summary>Looks at the system's memory anew.</summary>
    public void Look()
    {
        long limit = LimitBytes;
        long allocated = AllocatedBytes;
        if (allocated > Volatile.Read(ref _peakAllocated))
        {
            Volatile.Write(ref _peakAllocated, allocated);
        }

        bool isOver = limit != 0 && allocated > limit + Tolerance(limit);
        if (isOver != _isOver)
        {
            Volatile.Write(ref _isOver, isOver);
        }
    }

    /// <summary>The most that was taken from the system since this was last asked, as far as anybody looked.</summary>
    public long TakePeakAllocated() => Interlocked.Exchange(ref _peakAllocated, 0);

    /// <summary>How long, in all, more was in use than should be, in milliseconds.</summary>
    public long ExceededMs => ToMs(Volatile.Read(ref _exceededTicks)) + ExceedingMs;

    /// <summary>Since how many milliseconds more is in use than should be; 0 when it is not.</summary>
    public long ExceedingMs => Volatile.Read(ref _exceededSince) is > 0 and long since ? ToMs(Stopwatch.GetTimestamp() - since) : 0;

    /// <summary>Notes whether there was room for a write, or could be made.</summary>
    public void NoteExceeded(bool isExceeded)
    {
        long since = Volatile.Read(ref _exceededSince);
        if (isExceeded == (since != 0))
        {
            return;
        }

        long now = Stopwatch.GetTimestamp();
        if (Interlocked.CompareExchange(ref _exceededSince, isExceeded ? now : 0, since) == since && !isExceeded)
        {
            Interlocked.Add(ref _exceededTicks, now - since);
        }
    }

    /// <summary>
    /// True when so many bytes more would take the system's memory too far above the limit, so that their writer must wait for pages to be
    /// freed; false where waiting would be in vain.
    /// </summary>
    public bool MustWait(long bytes)
    {
        long limit = LimitBytes;
        return limit != 0
            && store.Maintenance.IsRunning
            && AllocatedBytes + bytes > limit + Tolerance(limit)
            && bytes <= limit
            && (Excess(bytes) <= 0 || KeyEvictor.HasCandidates(store));
    }

    /// <summary>Completes when maintenance has done something more.</summary>
    public Task WaitAsync()
    {
        lock (_waiting)
        {
            if (!store.Maintenance.IsRunning)
            {
                return Task.CompletedTask;
            }

            _relief ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            store.Maintenance.Wake();
            return _relief.Task;
        }
    }

    /// <summary>Lets those look again who wait. Called by maintenance after each round, and when it ends.</summary>
    public void ReleaseWaiters()
    {
        if (Volatile.Read(ref _relief) == null)
        {
            return;
        }

        lock (_waiting)
        {
            _relief?.TrySetResult();
            _relief = null;
        }
    }

    // A page that is being filled while another is emptied is nothing to wait for.
    private long Tolerance(long limit) => Math.Max(limit / WaitShare, 2 * store.Log.PageBytes);

    private static long ToMs(long ticks) => ticks * 1000 / Stopwatch.Frequency;

    private void Settle()
    {
        long asked = MaxBytes;
        Volatile.Write(ref _limit, asked == 0 ? 0 : Math.Max(asked - OutsideBytes, (asked + 1) / 2));
        Interlocked.Increment(ref _version);
    }
}
