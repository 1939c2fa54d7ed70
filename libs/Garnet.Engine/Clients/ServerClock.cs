// The server's coarse clock, and the timer that drives its periodic checks. Any thread reads; the timer's thread writes.
namespace Garnet.Engine.Clients;

/// <summary>Reads the time a few times per second, for what needs no exact time, and runs the periodic checks after it.</summary>
internal sealed class ServerClock(TimeProvider time) : IDisposable
{
    /// <summary>How many times per second the server checks idle clients, rates and limits.</summary>
    public const int TicksPerSecond = 10;

    private long _nowMs = time.GetUtcNow().ToUnixTimeMilliseconds();
    private readonly long _startedAt = time.GetTimestamp();
    private ITimer? _timer;
    private bool _isPaused;

    /// <summary>The exact time.</summary>
    public TimeProvider Time => time;

    /// <summary>Unix milliseconds of the start.</summary>
    public long StartedMs { get; } = time.GetUtcNow().ToUnixTimeMilliseconds();

    /// <summary>
    /// Unix milliseconds with a resolution of about a tenth of a second; use <see cref="Time"/> for exact times.
    /// </summary>
    public long NowMs => Volatile.Read(ref _nowMs);

    /// <summary>
    /// Milliseconds that pass evenly, whatever is done to the system's clock; at the start they are those of Unix. For deadlines and ages.
    /// </summary>
    public long SteadyMs => StartedMs + (long)time.GetElapsedTime(_startedAt).TotalMilliseconds;

    /// <summary>Whether what is due several times per second is left undone (DEBUG PAUSE-CRON).</summary>
    public bool IsPaused
    {
        get => Volatile.Read(ref _isPaused);
        set => Volatile.Write(ref _isPaused, value);
    }

    /// <inheritdoc/>
    public void Dispose() => _timer?.Dispose();

    /// <summary>Starts to tick; called once, when everything that the checks use exists.</summary>
    internal void Start(Action checks)
    {
        var period = TimeSpan.FromMilliseconds(1000 / TicksPerSecond);
        _timer = time.CreateTimer(
            _ =>
            {
                Volatile.Write(ref _nowMs, time.GetUtcNow().ToUnixTimeMilliseconds());
                if (!IsPaused)
                    checks();
            },
            null,
            period,
            period
        );
    }
}
