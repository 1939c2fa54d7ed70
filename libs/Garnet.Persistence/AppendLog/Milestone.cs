// A figure that only grows, and those who wait for it to reach a value. Raise: one thread at a time; the rest: any.
namespace Garnet.Persistence.AppendLog;

/// <summary>How far something has come, as a position or a number.</summary>
internal sealed class Milestone(long value)
{
    private readonly Lock _gate = new();
    private readonly List<(long Value, TaskCompletionSource<bool> Reached)> _waiting = [];
    private long _value = value;
    private volatile int _waiters;
    private volatile bool _hasEnded;

    /// <summary>The present value.</summary>
    public long Value => Volatile.Read(ref _value);

    /// <summary>Sets a value that is not below the present one.</summary>
    public void Raise(long value)
    {
        Volatile.Write(ref _value, value);
        // Either this sees a waiter, or the waiter sees the value.
        Interlocked.MemoryBarrier();
        if (_waiters != 0)
            Release();
    }

    /// <summary>It grows no more: whoever waits for a higher value is told.</summary>
    public void End()
    {
        _hasEnded = true;
        Release();
    }

    /// <summary>Completes with true when the value is reached; with false when it never will be, or no one waits any more.</summary>
    /// <param name="value">The value.</param>
    /// <param name="cancellation">Ends the wait.</param>
    public async Task<bool> ReachedAsync(long value, CancellationToken cancellation)
    {
        if (Value >= value)
            return true;
        TaskCompletionSource<bool> reached = new(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_gate)
        {
            _waiting.Add((value, reached));
            _waiters = _waiting.Count;
        }

        // It may have been reached, or have ended, before the waiter was there.
        Interlocked.MemoryBarrier();
        if (Value >= value || _hasEnded)
            Release();
        using CancellationTokenRegistration registration = cancellation.UnsafeRegister(_ => GiveUp(reached), null);
        return await reached.Task.ConfigureAwait(false);
    }

    private void GiveUp(TaskCompletionSource<bool> reached)
    {
        reached.TrySetResult(false);
        Release();
    }

    private void Release()
    {
        lock (_gate)
        {
            _waiting.RemoveAll(TryRelease);
            _waiters = _waiting.Count;
        }
    }

    // True when no one waits for it any more.
    private bool TryRelease((long Value, TaskCompletionSource<bool> Reached) waiter)
    {
        // The end is read first: what was reached before it counts as reached.
        bool hasEnded = _hasEnded;
        if (Value >= waiter.Value)
            waiter.Reached.TrySetResult(true);
        else if (hasEnded)
            waiter.Reached.TrySetResult(false);
        return waiter.Reached.Task.IsCompleted;
    }
}
