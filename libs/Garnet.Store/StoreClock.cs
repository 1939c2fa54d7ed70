// The store's clock: the injected one, or stopped while effects are replayed. Any thread.
using System.Diagnostics;

namespace Garnet.Store;

/// <summary>Reads Unix milliseconds.</summary>
internal sealed class StoreClock(TimeProvider time)
{
    /// <summary>
    /// While true the clock reads 0, so that nothing is expired: replayed effects must find the data they were applied to. A session
    /// notices a change at its next batch.
    /// </summary>
    public bool IsStopped { get; set; }

    /// <summary>Unix milliseconds from the injected clock; 0 while it is stopped.</summary>
    public long ReadMs() => IsStopped ? 0 : ReadRunningMs();

    /// <summary>
    /// Like <see cref="ReadMs()"/>; also returns the Stopwatch timestamp at which that millisecond ends, or that it is unknown because
    /// the clock is not the system's.
    /// </summary>
    public long ReadMs(long timestamp, out long endsAt)
    {
        endsAt = long.MinValue;
        if (IsStopped || time != TimeProvider.System)
            return ReadMs();

        (long milliseconds, long over) = Math.DivRem(time.GetUtcNow().UtcTicks - DateTime.UnixEpoch.Ticks, TimeSpan.TicksPerMillisecond);
        endsAt = timestamp + ((TimeSpan.TicksPerMillisecond - over) * Stopwatch.Frequency / TimeSpan.TicksPerSecond);
        return milliseconds;
    }

    /// <summary>
    /// Like <see cref="ReadMs()"/>, but unaffected by <see cref="IsStopped"/>: a key's idle time is independent of expiry.
    /// </summary>
    public long ReadRunningMs() => (time.GetUtcNow().UtcTicks - DateTime.UnixEpoch.Ticks) / TimeSpan.TicksPerMillisecond;
}
