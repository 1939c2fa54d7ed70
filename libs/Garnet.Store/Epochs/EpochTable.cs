// Tracks which threads are inside the store and since which epoch, and implements the barrier that excludes all but one. Thread-safe.
using System.Diagnostics;

namespace Garnet.Store.Epochs;

/// <summary>
/// Epochs as in FASTER: memory unlinked in epoch E may be freed when no thread inside holds epoch E or older. The barrier uses the same
/// slots: its owner raises a flag, and every other thread leaves at its next command boundary or does not enter.
/// </summary>
internal sealed class EpochTable : IDisposable
{
    private const int MaxSlots = 4096;
    private static readonly long TryTicks = Stopwatch.Frequency / 2000;
    private static int s_threads;

    [ThreadStatic]
    private static int t_home;
    private readonly Lock _growth = new();
    private EpochSlot[] _slots;
    private PaddedLong _global;
    private object? _barrierOwner;

    public EpochTable()
    {
        _slots = new EpochSlot[16];
        for (int i = 0; i < _slots.Length; i++)
            _slots[i] = new EpochSlot(i);

        _global.Value = 1;
    }

    /// <summary>
    /// The global epoch. It also advances when a barrier is raised, so that a command boundary only has to compare it.
    /// </summary>
    public long Global => Volatile.Read(ref _global.Value);

    /// <summary>All slots; the array grows by being replaced and never shrinks.</summary>
    public EpochSlot[] Slots => Volatile.Read(ref _slots);

    /// <summary>True when a barrier of an owner other than <paramref name="caller"/> is up or being raised.</summary>
    public bool IsBarred(object caller)
    {
        object? owner = Volatile.Read(ref _barrierOwner);
        return owner is not null && owner != caller;
    }

    /// <summary>Those who are let in although a barrier is up.</summary>
    public BarrierGuests Guests { get; } = new();

    /// <summary>Takes a free slot and enters the current epoch, waiting while a barrier is up.</summary>
    /// <param name="caller">The session.</param>
    /// <param name="mayBeGuest">Whether it may enter in a window of a long run under the barrier.</param>
    /// <param name="isGuest">Whether it did; it must then leave as a guest.</param>
    public EpochSlot Enter(object caller, bool mayBeGuest, out bool isGuest)
    {
        while (true)
        {
            if (IsBarred(caller) && WaitForBarrier(caller, mayBeGuest))
            {
                isGuest = true;
                return TakeSlot();
            }

            isGuest = false;

            EpochSlot slot = TakeSlot();

            // Taking the slot was a full fence: either the barrier's owner sees this slot taken, or this thread sees the barrier.
            if (!IsBarred(caller))
                return slot;

            Leave(slot);
        }
    }

    /// <summary>Takes the given slot if it is free; the caller is inside with its own slot, so no barrier is up.</summary>
    public bool TryTake(EpochSlot slot) =>
        Volatile.Read(ref slot.Epoch.Value) == 0 && Interlocked.CompareExchange(ref slot.Epoch.Value, Global, 0) == 0;

    /// <summary>Leaves the epoch and frees the slot.</summary>
    public static void Leave(EpochSlot slot) => Volatile.Write(ref slot.Epoch.Value, 0);

    /// <summary>As <see cref="Leave"/>, for a guest.</summary>
    public void LeaveAsGuest(EpochSlot slot)
    {
        Leave(slot);
        Guests.Leave();
    }

    /// <summary>Starts a new epoch; returns the one that ended, which tags everything unlinked before this call.</summary>
    public long Advance() => Interlocked.Increment(ref _global.Value) - 1;

    /// <summary>True when no thread inside holds epoch <paramref name="tag"/> or older.</summary>
    public bool IsPast(long tag)
    {
        Interlocked.MemoryBarrier();
        foreach (EpochSlot slot in Slots)
        {
            long epoch = Volatile.Read(ref slot.Epoch.Value);
            if (epoch != 0 && epoch <= tag)
                return false;
        }

        return true;
    }

    /// <summary>
    /// Excludes all other threads; the caller must be outside. Each attempt lasts half a millisecond, after which the others are let in
    /// again and the next attempt follows, so that one slow command does not park everyone. After several attempts the time grows, which
    /// guarantees success.
    /// </summary>
    /// <param name="caller">The session.</param>
    /// <param name="mayGiveUp">Whether it does not wait for the end of a long run.</param>
    /// <returns>False when it gave up.</returns>
    public bool TryRaiseBarrier(object caller, bool mayGiveUp)
    {
        long ticks = TryTicks;
        for (int attempt = 0; ; attempt++)
        {
            SpinWait spin = default;
            while (Interlocked.CompareExchange(ref _barrierOwner, caller, null) is not null)
            {
                // A thread that is inside would wait for itself.
                if ((mayGiveUp && Guests.IsOffered) || Guests.IsThreadInside)
                    return false;

                WaitProbe.Report();
                spin.SpinOnce();
            }

            Advance();
            if (AwaitEmpty(ticks))
                return true;

            LowerBarrier();
            if (attempt >= 8)
                ticks = Math.Min(ticks * 2, TryTicks * 64);

            Thread.Sleep(attempt == 0 ? 0 : 1);
        }
    }

    /// <summary>Admits other threads again.</summary>
    public void LowerBarrier()
    {
        Guests.End();
        Volatile.Write(ref _barrierOwner, null);
    }

    // Waits, outside of any epoch, until no barrier of another owner is up, or the caller has been let in as a guest: then true.
    private bool WaitForBarrier(object caller, bool mayBeGuest)
    {
        // A thread that is inside would wait for itself.
        if (Guests.IsThreadInside)
            return Guests.TryEnter();

        long start = Stopwatch.GetTimestamp();
        SpinWait spin = default;
        while (IsBarred(caller))
        {
            if (mayBeGuest && Guests.IsOffered && Guests.TryEnter())
                return true;

            // Waits for short barriers (a flip, a flush) by spinning only, for long ones (a script) by sleeping too.
            WaitProbe.Report();
            bool isLong = Stopwatch.GetTimestamp() - start > TryTicks * 4;
            spin.SpinOnce(isLong ? 0 : -1);
        }

        return false;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (EpochSlot slot in _slots)
            slot.Dispose();
    }

    private bool AwaitEmpty(long ticks)
    {
        long start = Stopwatch.GetTimestamp();
        SpinWait spin = default;
        while (!IsEmpty())
        {
            if (Stopwatch.GetTimestamp() - start > ticks)
                return false;

            WaitProbe.Report();
            spin.SpinOnce(-1);
        }

        return true;
    }

    private bool IsEmpty()
    {
        Interlocked.MemoryBarrier();
        foreach (EpochSlot slot in Slots)
        {
            if (Volatile.Read(ref slot.Epoch.Value) != 0)
                return false;
        }

        return true;
    }

    // Each thread has a home slot, so that its chunk and counters stay in its cache however many sessions it serves.
    private EpochSlot TakeSlot()
    {
        if (t_home == 0)
            t_home = Interlocked.Increment(ref s_threads);

        while (true)
        {
            EpochSlot[] slots = Slots;
            long epoch = Global;
            for (int i = 0; i < slots.Length; i++)
            {
                EpochSlot slot = slots[(t_home + i) & (slots.Length - 1)];
                if (Volatile.Read(ref slot.Epoch.Value) == 0 && Interlocked.CompareExchange(ref slot.Epoch.Value, epoch, 0) == 0)
                    return slot;
            }

            Grow(slots.Length);
        }
    }

    private void Grow(int seen)
    {
        lock (_growth)
        {
            if (_slots.Length != seen)
                return;

            if (seen >= MaxSlots)
                Environment.FailFast($"More than {MaxSlots} threads inside one store.");

            var slots = new EpochSlot[seen * 2];
            _slots.CopyTo(slots, 0);
            for (int i = seen; i < slots.Length; i++)
                slots[i] = new EpochSlot(i);

            Volatile.Write(ref _slots, slots);
        }
    }
}
