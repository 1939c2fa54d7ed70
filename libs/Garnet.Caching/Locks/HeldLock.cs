// A lock that this process holds. Thread-safe.
using Garnet.Caching.Coherence;
using Garnet.Caching.Links;

namespace Garnet.Caching.Locks;

/// <summary>
/// Counts its lease from the moment at which the request was sent that the server confirmed, so that it is over here before it is there.
/// </summary>
internal sealed class HeldLock : IGarnetLock
{
    private readonly GarnetLocks _locks;
    private readonly LockAnswer _taken;
    private readonly TimeProvider _time;
    private readonly CancellationTokenSource _lost = new();
    private readonly ITimer _end;
    private readonly LeaseRenewal _renewal;
    private long _confirmedAt;
    private int _isReleased;

    public HeldLock(GarnetLocks locks, string name, in LockAnswer taken, long sentAt, TimeProvider time)
    {
        (_locks, Name, _taken, _time, _confirmedAt) = (locks, name, taken, time, sentAt);
        Lost = _lost.Token;
        _end = time.CreateTimer(static held => ((HeldLock)held!).EndIfOver(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        // Over already, if this thread did not run meanwhile.
        EndIfOver();
        _renewal = new LeaseRenewal(locks.Lease, TryRenewAsync, time);
    }

    /// <inheritdoc/>
    public string Name { get; }

    /// <inheritdoc/>
    public long FencingToken => _taken.Token;

    /// <inheritdoc/>
    public CancellationToken Lost { get; }

    /// <inheritdoc/>
    public bool IsHeld => Left > TimeSpan.Zero && !_lost.IsCancellationRequested && Volatile.Read(ref _isReleased) == 0;

    private TimeSpan Left => _locks.SafeLease - _time.GetElapsedTime(Volatile.Read(ref _confirmedAt));

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isReleased, 1) != 0)
            return;
        _end.Dispose();
        await _renewal.DisposeAsync().ConfigureAwait(false);
        await _locks.ReleaseAsync(Name, _taken).ConfigureAwait(false);
    }

    private async Task<bool> TryRenewAsync(CancellationToken cancellationToken)
    {
        long sentAt = _time.GetTimestamp();
        try
        {
            if (!await _locks.ExtendAsync(Name, _taken, cancellationToken).ConfigureAwait(false))
            {
                Lose();
                return false;
            }
        }
        catch (Exception e) when (CacheMembership.IsLoss(e))
        {
            // Tried again at the next tick; the end of the lease is not moved meanwhile.
            return true;
        }
        catch (ObjectDisposedException)
        {
            // Nothing renews it any more, and its end is near.
            return false;
        }

        Volatile.Write(ref _confirmedAt, sentAt);
        return true;
    }

    private void EndIfOver()
    {
        TimeSpan left = Left;
        if (left > TimeSpan.Zero)
            _end.Change(left, Timeout.InfiniteTimeSpan);
        else
            Lose();
    }

    // The owner's callbacks run on a thread of their own: they may dispose of the lock, which waits for the renewal, and what they throw
    // must not end the process.
    private void Lose() => _ = _lost.CancelAsync();
}
