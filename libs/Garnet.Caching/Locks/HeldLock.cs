// A lock that this process holds. Thread-safe.
using System.Globalization;
using Garnet.Caching.Coherence;

namespace Garnet.Caching.Locks;

/// <summary>
/// Counts its lease from the moment at which the request was sent that the server confirmed, so that it is over here before it is there.
/// </summary>
internal sealed class HeldLock : IGarnetLock
{
    private const int RenewalsPerLease = 3;

    private readonly GarnetLocks _locks;
    private readonly string _owner;
    private readonly string _held;
    private readonly TimeProvider _time;
    private readonly CancellationTokenSource _lost = new();
    private readonly CancellationTokenSource _ending = new();
    private readonly ITimer _end;
    private readonly Task _renewing;
    private long _confirmedAt;
    private int _isReleased;

    public HeldLock(GarnetLocks locks, string name, string owner, string token, long sentAt, TimeProvider time)
    {
        (_locks, Name, _owner, _time, _confirmedAt) = (locks, name, owner, time, sentAt);
        _held = $"{owner} {token}";
        FencingToken = long.Parse(token, CultureInfo.InvariantCulture);
        Lost = _lost.Token;
        _end = time.CreateTimer(static held => ((HeldLock)held!).EndIfOver(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        // Over already, if the answer took longer than the lease.
        EndIfOver();
        _renewing = RenewAsync();
    }

    /// <inheritdoc/>
    public string Name { get; }

    /// <inheritdoc/>
    public long FencingToken { get; }

    /// <inheritdoc/>
    public CancellationToken Lost { get; }

    /// <inheritdoc/>
    public bool IsHeld => Left > TimeSpan.Zero && !_lost.IsCancellationRequested && Volatile.Read(ref _isReleased) == 0;

    // Nine tenths: what is left covers clocks that run at different speeds.
    private TimeSpan Left => (_locks.Lease * 0.9) - _time.GetElapsedTime(Volatile.Read(ref _confirmedAt));

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isReleased, 1) != 0)
            return;
        await _end.DisposeAsync().ConfigureAwait(false);
        await _ending.CancelAsync().ConfigureAwait(false);
        await _renewing.ConfigureAwait(false);
        await _locks.ReleaseAsync(Name, _owner).ConfigureAwait(false);
    }

    private async Task RenewAsync()
    {
        using PeriodicTimer renewals = new(_locks.Lease / RenewalsPerLease, _time);
        try
        {
            while (await renewals.WaitForNextTickAsync(_ending.Token).ConfigureAwait(false))
            {
                if (!await TryRenewAsync().ConfigureAwait(false))
                    return;
            }
        }
        catch (OperationCanceledException)
        {
            // Released.
        }
    }

    private async ValueTask<bool> TryRenewAsync()
    {
        long sentAt = _time.GetTimestamp();
        try
        {
            if (!await _locks.ExtendAsync(Name, _held).ConfigureAwait(false))
            {
                await _lost.CancelAsync().ConfigureAwait(false);
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
            _lost.Cancel();
    }
}
