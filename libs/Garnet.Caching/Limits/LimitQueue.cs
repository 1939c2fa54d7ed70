// Requests that wait for permits of a limit. Thread-safe.
using System.Threading.RateLimiting;

namespace Garnet.Caching.Limits;

/// <summary>
/// The first request asks for its permits, again and again until it gets them; those behind it wait, whatever they need. It asks when a
/// refusal said that it would be worth it, and when it is told that permits came back.
/// </summary>
internal sealed class LimitQueue : IDisposable
{
    private static readonly TimeSpan Soonest = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan Latest = TimeSpan.FromHours(1);

    private readonly Lock _gate = new();
    private readonly LinkedList<QueuedRequest> _requests = new();
    private readonly QueueProcessingOrder _order;
    private readonly int _limit;
    private readonly Func<int, ValueTask<RateLimitLease>> _ask;
    private readonly TimeSpan _lookEvery;
    private readonly ITimer _timer;
    private TaskCompletionSource _woken = new();
    private int _permits;
    private bool _isAsking;
    private bool _isDisposed;

    /// <param name="settings">How many permits may be waited for, and in which order.</param>
    /// <param name="ask">Asks for permits and does not wait for them.</param>
    /// <param name="lookEvery">When the first one asks again after a refusal that does not say.</param>
    /// <param name="time">The clock.</param>
    public LimitQueue(LimitSettings settings, Func<int, ValueTask<RateLimitLease>> ask, TimeSpan lookEvery, TimeProvider time)
    {
        (_limit, _order, _ask, _lookEvery) = (settings.QueueLimit, settings.QueueOrder, ask, lookEvery);
        _timer = time.CreateTimer(static self => ((LimitQueue)self!).Wake(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Permits that are waited for.</summary>
    public int Permits => Volatile.Read(ref _permits);

    /// <summary>Whether nobody waits.</summary>
    public bool IsEmpty
    {
        get
        {
            lock (_gate)
                return _requests.Count == 0;
        }
    }

    /// <summary>Whether a new request may ask for its permits at once: nobody waits, or the newest comes first.</summary>
    public bool LetsPass => _order == QueueProcessingOrder.NewestFirst || IsEmpty;

    /// <summary>
    /// Adds a request; where the newest comes first it takes the place of the oldest ones, which are refused. Null when there is no room.
    /// </summary>
    public Task<RateLimitLease>? TryEnter(int permits, CancellationToken cancellationToken)
    {
        QueuedRequest request = new(this, permits);
        bool begins;
        lock (_gate)
        {
            if (_isDisposed || !TryMakeRoom(permits))
                return null;
            _permits += permits;
            request.Place = _requests.AddLast(request);
            begins = !_isAsking;
            _isAsking = true;
        }

        if (begins)
            _ = AskAsync();
        return request.WaitAsync(cancellationToken);
    }

    /// <summary>Permits may have come back: the first request asks again.</summary>
    public void Wake() => Volatile.Read(ref _woken).TrySetResult();

    /// <summary>A request has ended; the next one may need less.</summary>
    public void Remove(QueuedRequest request)
    {
        lock (_gate)
            Take(request);
        Wake();
    }

    /// <summary>Refuses all who wait.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            _isDisposed = true;
            while (_requests.First is { } first)
                Refuse(first.Value);
        }

        _timer.Dispose();
        Wake();
    }

    private async Task AskAsync()
    {
        while (true)
        {
            // Before the request is sent, so that what happens from here on is not missed.
            Volatile.Write(ref _woken, new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));
            if (Next() is not { } request)
                return;
            TimeSpan? again = await TryServeAsync(request).ConfigureAwait(false);
            if (again is not { } wait)
                continue;
            _timer.Change(wait, Timeout.InfiniteTimeSpan);
            await _woken.Task.ConfigureAwait(false);
        }
    }

    // Null when the request has its answer; else when to ask again.
    private async ValueTask<TimeSpan?> TryServeAsync(QueuedRequest request)
    {
        try
        {
            RateLimitLease lease = await _ask(request.Permits).ConfigureAwait(false);
            if (!lease.IsAcquired)
                return lease.TryGetMetadata(MetadataName.RetryAfter, out TimeSpan after) ? Within(after) : _lookEvery;
            Remove(request);
            // One that was cancelled meanwhile gives back what comes back.
            if (!request.TrySetResult(lease))
                lease.Dispose();
        }
        catch (Exception e)
        {
            // Whatever it is, it is the answer to who waits.
            Remove(request);
            request.TrySetException(e);
        }

        return null;
    }

    // From the resolution of the server's clock to what timers can do.
    private static TimeSpan Within(TimeSpan after) =>
        after < Soonest ? Soonest
        : after > Latest ? Latest
        : after;

    private QueuedRequest? Next()
    {
        lock (_gate)
        {
            QueuedRequest? next = (_order == QueueProcessingOrder.OldestFirst ? _requests.First : _requests.Last)?.Value;
            _isAsking = next is not null;
            return next;
        }
    }

    private bool TryMakeRoom(int permits)
    {
        if (permits > _limit || (_order == QueueProcessingOrder.OldestFirst && permits > _limit - _permits))
            return false;
        while (permits > _limit - _permits)
            Refuse(_requests.First!.Value);
        return true;
    }

    private void Refuse(QueuedRequest request)
    {
        Take(request);
        request.TrySetResult(LimitLease.Refused);
    }

    private void Take(QueuedRequest request)
    {
        if (request.Place is not { List: not null } place)
            return;
        _requests.Remove(place);
        _permits -= request.Permits;
    }
}
