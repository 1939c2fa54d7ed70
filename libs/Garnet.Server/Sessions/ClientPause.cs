// CLIENT PAUSE: until when commands wait, and which. Thread-safe.
using Garnet.Server.Commands;

namespace Garnet.Server.Sessions;

/// <summary>Holds clients back for a while; they wait without a thread and go on when the pause ends or is lifted.</summary>
public sealed class ClientPause
{
    // A pause may last for ages, a timer may not; after the wait it is looked at again.
    private const long LongestWaitMs = 60_000;

    private readonly Lock gate = new();
    private readonly LinkedList<PauseWaiter> waiters = [];
    private ITimer? clock;
    private volatile bool active;
    private bool writesOnly;
    private long untilMs;

    /// <summary>True when some command might have to wait; cheap enough to ask before every command.</summary>
    public bool MayBeActive => active;

    /// <summary>Whether the pause lasts at a moment.</summary>
    public bool IsActive(long nowMs) => active && nowMs < Volatile.Read(ref untilMs);

    /// <summary>Pauses until a moment; as in Valkey a shorter pause never shortens a running one, and pausing all outweighs pausing writes.</summary>
    public void Begin(long endMs, bool onlyWrites, long nowMs)
    {
        lock (gate)
        {
            bool running = active && untilMs > nowMs;
            untilMs = running ? Math.Max(untilMs, endMs) : endMs;
            writesOnly = running ? writesOnly && onlyWrites : onlyWrites;
            active = true;
            SetClock(nowMs);
        }
    }

    /// <summary>Ends the pause.</summary>
    public void Lift()
    {
        lock (gate)
        {
            active = false;
            LetGo();
        }
    }

    /// <summary>Milliseconds left of the pause and its kind, for INFO; 0 when none.</summary>
    public long RemainingMs(long nowMs, out bool onlyWrites)
    {
        lock (gate)
        {
            onlyWrites = writesOnly;
            return active ? Math.Max(0, untilMs - nowMs) : 0;
        }
    }

    /// <summary>The wait that a command of these flags must make first, or null. Checked again after each wait, since a pause may have been prolonged.</summary>
    internal Task? WaitFor(CommandFlags flags, long nowMs, TimeProvider time, CancellationToken cancelled)
    {
        PauseWaiter waiter;
        lock (gate)
        {
            if (!active)
                return null;
            if (untilMs <= nowMs)
            {
                active = false;
                LetGo();
                return null;
            }

            if (writesOnly && (flags & (CommandFlags.Write | CommandFlags.MayReplicate)) == 0)
                return null;
            waiter = new PauseWaiter(this);
            waiters.AddLast(waiter.Place);
            if (clock is null)
            {
                clock = time.CreateTimer(static pause => ((ClientPause)pause!).OnTimer(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
                SetClock(nowMs);
            }
        }

        return WaitAsync(waiter, cancelled);
    }

    // Not under the lock, as it may be cancelled already.
    private static async Task WaitAsync(PauseWaiter waiter, CancellationToken cancelled)
    {
        using CancellationTokenRegistration leaving = cancelled.UnsafeRegister(static waiter => ((PauseWaiter)waiter!).GiveUp(), waiter);
        await waiter.Done.Task.ConfigureAwait(false);
    }

    // Each client looks again by itself: a pause that was prolonged goes on.
    private void OnTimer()
    {
        lock (gate)
            LetGo();
    }

    private void SetClock(long nowMs) => clock?.Change(TimeSpan.FromMilliseconds(Math.Clamp(untilMs - nowMs, 0, LongestWaitMs)), Timeout.InfiniteTimeSpan);

    // Continuations run elsewhere, so the lock is held for a short time however many wait.
    private void LetGo()
    {
        clock?.Dispose();
        clock = null;
        foreach (PauseWaiter waiter in waiters)
            waiter.Done.TrySetResult();
        waiters.Clear();
    }

    private void Remove(LinkedListNode<PauseWaiter> place)
    {
        lock (gate)
        {
            if (place.List is not null)
                waiters.Remove(place);
        }
    }

    // One command that is held back. It knows its place in the list, so that leaving costs the same however many others wait.
    private sealed class PauseWaiter
    {
        private readonly ClientPause pause;

        public PauseWaiter(ClientPause pause)
        {
            this.pause = pause;
            Place = new LinkedListNode<PauseWaiter>(this);
        }

        public LinkedListNode<PauseWaiter> Place { get; }

        public TaskCompletionSource Done { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public void GiveUp()
        {
            pause.Remove(Place);
            Done.TrySetResult();
        }
    }
}
