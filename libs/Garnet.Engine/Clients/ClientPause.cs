// CLIENT PAUSE: until when commands wait, and which ones. Thread-safe.
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;
using Garnet.Store;

namespace Garnet.Engine.Clients;

/// <summary>Delays clients for a while; they wait without occupying a thread and continue when the pause ends or is lifted.</summary>
internal sealed class ClientPause(Conditions conditions)
{
    // A pause may last arbitrarily long, a timer may not; it is checked again after this wait.
    private const long LongestWaitMs = 60_000;

    private readonly Lock _gate = new();
    private readonly LinkedList<PauseWaiter> _waiters = [];
    private ITimer? _clock;
    private volatile bool _active;
    private bool _writesOnly;
    private long _untilMs;

    /// <summary>True when some command might have to wait; cheap enough to check before every command.</summary>
    public bool MayBeActive => _active;

    /// <summary>Whether the pause is active at a given time.</summary>
    public bool IsActive(long nowMs) => _active && nowMs < Volatile.Read(ref _untilMs);

    /// <summary>
    /// Pauses until a given time; as in Valkey a shorter pause never shortens a running one, and pausing all commands overrides pausing
    /// writes.
    /// </summary>
    public void Begin(long endMs, bool onlyWrites, long nowMs)
    {
        lock (_gate)
        {
            bool running = _active && _untilMs > nowMs;
            _untilMs = running ? Math.Max(_untilMs, endMs) : endMs;
            _writesOnly = running ? _writesOnly && onlyWrites : onlyWrites;
            conditions.Set((uint)GateMask.Pause, areRaised: true);
            _active = true;
            SetClock(nowMs);
        }
    }

    /// <summary>Ends the pause.</summary>
    public void Lift()
    {
        lock (_gate)
            End();
    }

    /// <summary>Milliseconds left of the pause and its kind, for INFO; 0 when there is none.</summary>
    public long RemainingMs(long nowMs, out bool onlyWrites)
    {
        lock (_gate)
        {
            onlyWrites = _writesOnly;
            return _active ? Math.Max(0, _untilMs - nowMs) : 0;
        }
    }

    /// <summary>
    /// The wait required before a command with these flags, or null. Checked again after each wait, since the pause may have been extended.
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
                End();
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

    // Not under the lock, since it may be cancelled already.
    private static async Task WaitAsync(PauseWaiter waiter, CancellationToken cancelled)
    {
        using CancellationTokenRegistration leaving = cancelled.UnsafeRegister(static waiter => ((PauseWaiter)waiter!).Abandon(), waiter);
        await waiter.Done.Task.ConfigureAwait(false);
    }

    // Each client checks again itself: an extended pause continues.
    private void OnTimer()
    {
        lock (_gate)
            LetGo();
    }

    private void SetClock(long nowMs) =>
        _clock?.Change(TimeSpan.FromMilliseconds(Math.Clamp(_untilMs - nowMs, 0, LongestWaitMs)), Timeout.InfiniteTimeSpan);

    private void End()
    {
        _active = false;
        conditions.Set((uint)GateMask.Pause, areRaised: false);
        LetGo();
    }

    // Continuations run elsewhere, so the lock is held briefly however many clients wait.
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

    // One delayed command. It knows its node in the list, so that removing it takes the same time however many others wait.
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

        public void Abandon()
        {
            _pause.Remove(Node);
            Done.TrySetResult();
        }
    }
}
