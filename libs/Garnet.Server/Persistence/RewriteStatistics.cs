// Statistics of rewrites of the append-only log. Written by one thread at a time, read by any.
using Garnet.Engine.Clients;
using Garnet.Server.Basics;

namespace Garnet.Server.Persistence;

/// <summary>Counts and times for INFO, activities for tracing, and the delay before retries after failures.</summary>
internal sealed class RewriteStatistics(ServerClock clock, ServerActivities activities)
{
    private const long MsPerSecond = 1000;
    private const long MsPerMinute = 60_000;
    private const int MaxDoublings = 6;

    private long _startedMs;
    private long _lastTryMs;
    private long _lastSeconds = -1;
    private long _rewrites;
    private long _failuresInARow;

    /// <summary>Seconds the last rewrite took; -1 before the first.</summary>
    public long LastSeconds => Volatile.Read(ref _lastSeconds);

    /// <summary>Rewrites completed.</summary>
    public long Count => Volatile.Read(ref _rewrites);

    /// <summary>Rewrites that failed since the last successful one.</summary>
    public long FailuresInARow => Volatile.Read(ref _failuresInARow);

    /// <summary>How long a rewrite because of growth waits after the last attempt.</summary>
    public long RetryDelayMs => FailuresInARow == 0 ? 0 : MsPerMinute << (int)Math.Min(MaxDoublings, FailuresInARow - 1);

    /// <summary>Peak memory of old images during the last rewrite.</summary>
    public long LastImageBytes { get; private set; }

    /// <summary>Seconds since the last rewrite began.</summary>
    public long SinceStartSeconds => SinceStartMs / MsPerSecond;

    /// <summary>Milliseconds since the last attempt to write a base, or to continue a log without space.</summary>
    public long SinceTryMs => NowMs - Volatile.Read(ref _lastTryMs);

    /// <summary>Whether anything has been attempted.</summary>
    public bool HasTried => Volatile.Read(ref _lastTryMs) != 0;

    private long SinceStartMs => NowMs - Volatile.Read(ref _startedMs);

    private long NowMs => clock.Time.GetUtcNow().ToUnixTimeMilliseconds();

    /// <summary>A rewrite begins.</summary>
    public void OnStart() => Volatile.Write(ref _startedMs, NowMs);

    /// <summary>Something is attempted that waits before it is tried again.</summary>
    public void OnTry() => Volatile.Write(ref _lastTryMs, NowMs);

    /// <summary>The rewrite has succeeded.</summary>
    /// <param name="imageBytes">Peak memory of old images.</param>
    /// <param name="logBytes">Bytes of snapshot and log.</param>
    public void OnSuccess(long imageBytes, long logBytes)
    {
        LastImageBytes = imageBytes;
        Volatile.Write(ref _failuresInARow, 0);
        OnEnd(error: null, logBytes);
    }

    /// <summary>The rewrite has failed.</summary>
    /// <param name="error">Why.</param>
    /// <param name="logBytes">Bytes of snapshot and log.</param>
    public void OnFailure(string error, long logBytes)
    {
        Interlocked.Increment(ref _failuresInARow);
        OnEnd(error, logBytes);
    }

    private void OnEnd(string? error, long logBytes)
    {
        Volatile.Write(ref _lastSeconds, SinceStartSeconds);
        Interlocked.Increment(ref _rewrites);
        activities.Record(
            "garnet.aof_rewrite",
            TimeSpan.FromMilliseconds(SinceStartMs),
            error,
            new KeyValuePair<string, object?>("garnet.bytes", logBytes)
        );
    }
}
