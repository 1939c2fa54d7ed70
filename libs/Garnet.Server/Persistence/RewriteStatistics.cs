// Statistics of rewrites of the append-only log. Written by one thread at a time, read by any.
namespace Garnet.Server.Persistence;

/// <summary>Counts for INFO, and the delay before retries after failures.</summary>
internal sealed class RewriteStatistics
{
    private const long MsPerMinute = 60_000;
    private const int MaxDoublings = 6;

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

    internal void NoteSuccess(long seconds, long imageBytes)
    {
        LastImageBytes = imageBytes;
        Interlocked.Increment(ref _rewrites);
        Volatile.Write(ref _lastSeconds, seconds);
        Volatile.Write(ref _failuresInARow, 0);
    }

    internal void NoteFailure(long seconds)
    {
        Interlocked.Increment(ref _rewrites);
        Volatile.Write(ref _lastSeconds, seconds);
        Interlocked.Increment(ref _failuresInARow);
    }
}
