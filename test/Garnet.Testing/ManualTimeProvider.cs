// A clock that only tests advance, with timers. Any thread may read; timers fire on the thread that advances it.
namespace Garnet.Testing;

/// <summary>Virtual time, which passes only when <see cref="Advance"/> is called, so that no test sleeps.</summary>
internal sealed class ManualTimeProvider : TimeProvider
{
    private readonly Lock _gate = new();
    private readonly List<ManualTimer> _timers = [];
    private DateTimeOffset _now;
    private readonly DateTimeOffset _start;

    /// <summary>Starts at a fixed time, so that every run sees the same times.</summary>
    public ManualTimeProvider()
        : this(new DateTimeOffset(2030, 1, 1, 0, 0, 0, TimeSpan.Zero)) { }

    /// <summary>Starts at <paramref name="start"/>.</summary>
    public ManualTimeProvider(DateTimeOffset start) => _now = _start = start;

    /// <summary>Timers that are running.</summary>
    public int RunningTimers
    {
        get
        {
            lock (_gate)
                return _timers.Count;
        }
    }

    /// <inheritdoc/>
    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    /// <inheritdoc/>
    public override DateTimeOffset GetUtcNow()
    {
        lock (_gate)
            return _now;
    }

    /// <inheritdoc/>
    public override long GetTimestamp() => (GetUtcNow() - _start).Ticks;

    /// <summary>Advances time; due timers fire in order, each at its own time.</summary>
    public void Advance(TimeSpan by)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(by, TimeSpan.Zero);
        DateTimeOffset target = GetUtcNow() + by;
        while (NextDue(target) is { } timer)
            timer.Fire();
        lock (_gate)
            _now = target;
    }

    /// <summary>Jumps ahead, as for a process that was stopped meanwhile: each timer that became due fires once.</summary>
    public void Jump(TimeSpan by)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(by, TimeSpan.Zero);
        lock (_gate)
        {
            _now += by;
            foreach (ManualTimer timer in _timers)
                timer.Due = timer.Due < _now ? _now : timer.Due;
        }

        Advance(TimeSpan.Zero);
    }

    /// <inheritdoc/>
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new ManualTimer(this, callback, state);
        timer.Change(dueTime, period);
        return timer;
    }

    // The earliest timer due by the target time; sets the clock to its due time.
    private ManualTimer? NextDue(DateTimeOffset target)
    {
        lock (_gate)
        {
            ManualTimer? next = _timers.MinBy(timer => timer.Due);
            if (next is null || next.Due > target)
                return null;
            if (next.Due > _now)
                _now = next.Due;
            next.Due += next.Period;
            if (next.Period <= TimeSpan.Zero)
                _timers.Remove(next);
            return next;
        }
    }

    private sealed class ManualTimer(ManualTimeProvider clock, TimerCallback callback, object? state) : ITimer
    {
        public DateTimeOffset Due { get; set; }

        public TimeSpan Period { get; private set; }

        public void Fire() => callback(state);

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            lock (clock._gate)
            {
                clock._timers.Remove(this);
                if (dueTime == Timeout.InfiniteTimeSpan)
                    return true;
                Due = clock._now + dueTime;
                Period = period;
                clock._timers.Add(this);
                return true;
            }
        }

        public void Dispose()
        {
            lock (clock._gate)
                clock._timers.Remove(this);
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
