// Whether the log can write. Set by the log's threads, read by any.
using System.Diagnostics;
using Garnet.Persistence.Files;

namespace Garnet.Persistence.AppendLog;

/// <summary>
/// A transient error ends when the disk accepts what it rejected; a failure is permanent, because the content of a disk is unknown after a
/// failed sync.
/// </summary>
internal sealed class LogHealth(ILogFolder folder, Action<string> report)
{
    private static readonly TimeSpan RetryDelay = TimeSpan.FromMilliseconds(100);

    private readonly ManualResetEventSlim _stopped = new();
    private readonly string?[] _troubles = new string?[Enum.GetValues<TransientLogError>().Length];
    private volatile string? _failure;
    private volatile bool _isDiskFull;
    private long _lastTry = long.MaxValue;

    /// <summary>The system's message for the current error; null when there is none.</summary>
    public string? Problem => _failure ?? Volatile.Read(ref _troubles[0]) ?? Volatile.Read(ref _troubles[1]);

    /// <summary>True once nothing can be made durable any more.</summary>
    public bool IsFailed => _failure is not null;

    /// <summary>Whether the last transient error was that of a full disk.</summary>
    public bool IsDiskFull => _isDiskFull && _failure is null;

    /// <summary>True once waiting for the disk has been abandoned.</summary>
    public bool IsStopped => _stopped.IsSet;

    /// <summary>Reports something that needs no action to the operator.</summary>
    public void Report(string text) => report(text);

    /// <summary>Abandons everything that waits for the disk.</summary>
    public void Stop() => _stopped.Set();

    /// <summary>The disk rejected an operation that will be retried.</summary>
    public void OnTrouble(TransientLogError kind, string what, int error)
    {
        string problem = folder.Describe(error);
        if (_troubles[(int)kind] != problem)
            report($"The append-only log could not {what}: {problem}. Writes are rejected until it can");
        _isDiskFull = DiskSpace.IsMissing(error);
        Volatile.Write(ref _troubles[(int)kind], problem);
    }

    /// <summary>The disk accepts the operation again.</summary>
    public void OnSuccess(TransientLogError kind)
    {
        if (_troubles[(int)kind] is null)
            return;
        Volatile.Write(ref _troubles[(int)kind], null);
        if (Problem is null)
            report("The append-only log has disk space again and accepts writes");
    }

    /// <summary>Nothing will be durable from here on.</summary>
    public void Fail(string what, int error)
    {
        string problem = folder.Describe(error);
        if (Interlocked.CompareExchange(ref _failure, problem, null) is null)
        {
            report(
                $"The append-only log could not {what}: {problem}. Writes since the last successful one may be lost; further writes are rejected until a rewrite (BGREWRITEAOF) succeeds"
            );
        }
    }

    /// <summary>Waits before the next attempt; false when there is to be none.</summary>
    public bool WaitToRetry() => !_stopped.Wait(RetryDelay) && Stopwatch.GetTimestamp() < Volatile.Read(ref _lastTry);

    /// <summary>Nothing is retried after this time from now on.</summary>
    /// <param name="patience">The time, or infinite.</param>
    public void LimitTries(TimeSpan patience) =>
        Volatile.Write(
            ref _lastTry,
            patience == Timeout.InfiniteTimeSpan
                ? long.MaxValue
                : Stopwatch.GetTimestamp() + (long)(patience.TotalSeconds * Stopwatch.Frequency)
        );
}
