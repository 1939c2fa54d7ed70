// Renews a lease in the server for as long as it is held. Thread-safe.
namespace Garnet.Caching.Links;

/// <summary>
/// One renewal at a time, three in the time of a lease. It is a timer and not a loop that waits: ending a loop costs an exception, for each
/// lease.
/// </summary>
internal sealed class LeaseRenewal : IAsyncDisposable
{
    private const int PerLease = 3;

    private readonly Lock _gate = new();
    private readonly Func<CancellationToken, Task<bool>> _renew;
    private readonly CancellationTokenSource _ending = new();
    private readonly ITimer _timer;
    private Task _current = Task.CompletedTask;
    private bool _isDue;
    private bool _isRunning;
    private bool _isOver;

    /// <param name="lease">How long the lease lasts.</param>
    /// <param name="renew">Renews it; false when that is to be the last time. Failures that are to be borne are its own to catch.</param>
    /// <param name="time">The clock.</param>
    public LeaseRenewal(TimeSpan lease, Func<CancellationToken, Task<bool>> renew, TimeProvider time)
    {
        _renew = renew;
        _timer = time.CreateTimer(static self => ((LeaseRenewal)self!).Begin(), this, lease / PerLease, lease / PerLease);
    }

    /// <summary>Ends it; a renewal in progress is not waited for any longer, and none is begun afterwards.</summary>
    public async ValueTask DisposeAsync()
    {
        End();
        // None is begun any more.
        Task current = _current;
        if (!current.IsCompleted)
            await _ending.CancelAsync().ConfigureAwait(false);
        await current.ConfigureAwait(false);
        _ending.Dispose();
    }

    private void Begin()
    {
        lock (_gate)
        {
            _isDue = true;
            if (_isOver || _isRunning)
                return;
            _isRunning = true;
            _current = Task.Run(RenewAsync);
        }
    }

    private void End()
    {
        lock (_gate)
            _isOver = true;
        _timer.Dispose();
    }

    // A tick during a renewal that takes long is not lost.
    private bool TryTakeTick()
    {
        lock (_gate)
        {
            _isRunning = _isDue && !_isOver;
            _isDue = false;
            return _isRunning;
        }
    }

    private async Task RenewAsync()
    {
        try
        {
            while (TryTakeTick())
            {
                if (!await _renew(_ending.Token).ConfigureAwait(false))
                    End();
            }
        }
        catch (OperationCanceledException) when (_ending.IsCancellationRequested)
        {
            // The lease was given back meanwhile.
        }
    }
}
