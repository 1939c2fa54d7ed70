// Whether the log can write. Set by the log's threads, read by any.
using System.Diagnostics;

namespace Garnet.Persistence.AppendLog;

/// <summary>
/// Trouble passes when the disk takes what it refused; a failure stays, as nobody can know what a disk holds after a failed sync.
/// </summary>
internal sealed class LogHealth(ILogFolder folder, Action<string> report)
{
    private static readonly TimeSpan RetryDelay = TimeSpan.FromMilliseconds(100);

    private readonly ManualResetEventSlim _stopped = new();
    private readonly string?[] _troubles = new string?[Enum.GetValues<TransientLogError>().Length];
    private volatile string? _failure;
    private long _lastTry = long.MaxValue;

    /// <summary>What the system calls the problem; null when there is none.</summary>
    public string? Problem => _failure ?? Volatile.Read(ref _troubles[0]) ?? Volatile.Read(ref _troubles[1]);

    /// <summary>True once nothing can be made durable any more.</summary>
    public bool IsFailed => _failure is not null;

    /// <summary>True once nobody waits for the disk any longer.</summary>
    public bool IsStopped => _stopped.IsSet;

    /// <summary>Tells an operator what needs nothing but their knowledge.</summary>
    public void Report(string text) => report(text);

    /// <summary>Gives up whatever waits for the disk.</summary>
    public void Stop() => _stopped.Set();

    /// <summary>The disk refused something that will be tried again.</summary>
    public void NoteTrouble(TransientLogError kind, string what, int error)
    {
        string problem = folder.Describe(error);
        if (_troubles[(int)kind] != problem)
            report($"The append-only log could not {what}: {problem}. Writes are refused until it can");
        Volatile.Write(ref _troubles[(int)kind], problem);
    }

    /// <summary>The disk takes what it refused.</summary>
    public void NoteSuccess(TransientLogError kind)
    {
        if (_troubles[(int)kind] is null)
            return;
        Volatile.Write(ref _troubles[(int)kind], null);
        if (Problem is null)
            report("The append-only log has room again and accepts writes");
    }

    /// <summary>Nothing will be durable from here on.</summary>
    public void Fail(string what, int error)
    {
        string problem = folder.Describe(error);
        if (Interlocked.CompareExchange(ref _failure, problem, null) is null)
        {
            report(
                $"The append-only log could not {what}: {problem}. What was written since the last success may be lost; writes are refused until a rewrite (BGREWRITEAOF) succeeds"
            );
        }
    }

    /// <summary>Waits a while before the next try; false when there is to be none.</summary>
    public bool WaitToRetry() => !_stopped.Wait(RetryDelay) && Stopwatch.GetTimestamp() < Volatile.Read(ref _lastTry);

    /// <summary>From now on nothing is tried again after this time.</summary>
    /// <param name="patience">The time, or infinite.</param>
    public void LimitTries(TimeSpan patience) =>
        Volatile.Write(
            ref _lastTry,
            patience == Timeout.InfiniteTimeSpan
                ? long.MaxValue
                : Stopwatch.GetTimestamp() + (long)(patience.TotalSeconds * Stopwatch.Frequency)
        );
}
