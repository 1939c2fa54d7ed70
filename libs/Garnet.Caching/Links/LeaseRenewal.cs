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
        Task current;
        lock (_gate)
        {
            _isOver = true;
            current = _current;
        }

        _timer.Dispose();
        if (!current.IsCompleted)
            await _ending.CancelAsync().ConfigureAwait(false);
        await current.ConfigureAwait(false);
        _ending.Dispose();
    }

    private void Begin()
    {
        lock (_gate)
        {
            if (!_isOver && _current.IsCompleted)
                _current = Task.Run(RenewAsync);
        }
    }

    private async Task RenewAsync()
    {
        try
        {
            if (await _renew(_ending.Token).ConfigureAwait(false))
                return;
        }
        catch (OperationCanceledException) when (_ending.IsCancellationRequested)
        {
            // The lease was given back meanwhile.
        }

        lock (_gate)
            _isOver = true;
        _timer.Dispose();
    }
}
