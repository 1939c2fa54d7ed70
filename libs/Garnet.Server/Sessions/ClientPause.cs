// CLIENT PAUSE: until when commands wait, and which. Thread-safe.
using Garnet.Server.CommandModel;

namespace Garnet.Server.Sessions;

/// <summary>Holds clients back for a while; they wait without a thread and go on when the pause ends or is lifted.</summary>
public sealed class ClientPause
{
    // A pause may last for ages, a timer may not; after the wait it is looked at again.
    private const long LongestWaitMs = 60_000;

    private readonly Lock _gate = new();
    private readonly LinkedList<PauseWaiter> _waiters = [];
    private ITimer? _clock;
    private volatile bool _active;
    private bool _writesOnly;
    private long _untilMs;

    /// <summary>True when some command might have to wait; cheap enough to ask before every command.</summary>
    public bool MayBeActive => _active;

    /// <summary>Whether the pause lasts at a moment.</summary>
    public bool IsActive(long nowMs) => _active && nowMs < Volatile.Read(ref _untilMs);

    /// <summary>
    /// Pauses until a moment; as in Valkey a shorter pause never shortens a running one, and pausing all outweighs pausing writes.
    /// </summary>
    public void Begin(long endMs, bool onlyWrites, long nowMs)
    {
        lock (_gate)
        {
            bool running = _active && _untilMs > nowMs;
            _untilMs = running ? Math.Max(_untilMs, endMs) : endMs;
            _writesOnly = running ? _writesOnly && onlyWrites : onlyWrites;
            _active = true;
            SetClock(nowMs);
        }
    }

    /// <summary>Ends the pause.</summary>
    public void Lift()
    {
        lock (_gate)
        {
            _active = false;
            LetGo();
        }
    }

    /// <summary>Milliseconds left of the pause and its kind, for INFO; 0 when none.</summary>
    public long RemainingMs(long nowMs, out bool onlyWrites)
    {
        lock (_gate)
        {
            onlyWrites = _writesOnly;
            return _active ? Math.Max(0, _untilMs - nowMs) : 0;
        }
    }

    /// <summary>
    /// The wait that a command of these flags must make first, or null. Checked again after each wait, since a pause may have been
    /// prolonged.
    /// </summary>
    internal Task? WaitFor(CommandFlags flags, long nowMs, TimeProvider time, CancellationToken cancelled)
    {
        PauseWaiter waiter;
        lock (_gate)
        {
            if (!_active)
                return null;
            if (_untilMs <= nowMs)
            {
                _active = false;
                LetGo();
                return null;
            }

            if (_writesOnly && (flags & (CommandFlags.Write | CommandFlags.MayReplicate)) == 0)
                return null;
            waiter = new PauseWaiter(this);
            _waiters.AddLast(waiter.Node);
            if (_clock is null)
            {
                _clock = time.CreateTimer(
                    static pause => ((ClientPause)pause!).OnTimer(),
                    this,
                    Timeout.InfiniteTimeSpan,
                    Timeout.InfiniteTimeSpan
                );
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
        lock (_gate)
            LetGo();
    }

    private void SetClock(long nowMs) =>
        _clock?.Change(TimeSpan.FromMilliseconds(Math.Clamp(_untilMs - nowMs, 0, LongestWaitMs)), Timeout.InfiniteTimeSpan);

    // Continuations run elsewhere, so the lock is held for a short time however many wait.
    private void LetGo()
    {
        _clock?.Dispose();
        _clock = null;
        foreach (PauseWaiter waiter in _waiters)
            waiter.Done.TrySetResult();
        _waiters.Clear();
    }

    private void Remove(LinkedListNode<PauseWaiter> place)
    {
        lock (_gate)
        {
            if (place.List is not null)
                _waiters.Remove(place);
        }
    }

    // One command that is held back. It knows its place in the list, so that leaving costs the same however many others wait.
    private sealed class PauseWaiter
    {
        private readonly ClientPause _pause;

        public PauseWaiter(ClientPause pause)
        {
            _pause = pause;
            Node = new LinkedListNode<PauseWaiter>(this);
        }

        public LinkedListNode<PauseWaiter> Node { get; }

        public TaskCompletionSource Done { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public void GiveUp()
        {
            _pause.Remove(Node);
            Done.TrySetResult();
        }
    }
}
