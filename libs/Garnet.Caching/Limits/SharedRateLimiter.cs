// A limit that instances share. Thread-safe.
using System.Threading.RateLimiting;
using Garnet.Caching.Coherence;
using Garnet.Caching.Links;
using Garnet.Client;

namespace Garnet.Caching.Limits;

/// <summary>
/// One script for each request. Over a connection only <c>AcquireAsync</c> decides; <c>AttemptAcquire</c> would have to wait.
/// </summary>
internal class SharedRateLimiter : RateLimiter
{
    private static readonly byte[] One = "1"u8.ToArray();

    private readonly LimitSettings _settings;
    private readonly InProcessCount? _here;
    private readonly LimitQueue? _queue;
    private readonly TimeProvider _time;
    private readonly ReadOnlyMemory<byte>[] _values;
    private long _usedAt;
    private long _available;
    private long _granted;
    private long _refused;
    private bool _isDisposed;

    /// <param name="link">To the server.</param>
    /// <param name="settings">The limit.</param>
    /// <param name="here">Counts instead of the script, in the server of this process; null to use the script.</param>
    /// <param name="lookEvery">When a request that waits asks again after a refusal that does not say when.</param>
    /// <param name="time">The clock.</param>
    public SharedRateLimiter(ICacheLink link, LimitSettings settings, InProcessCount? here, TimeSpan lookEvery, TimeProvider time)
    {
        (Link, _settings, _here, _time, _usedAt, _available) = (link, settings, here, time, time.GetTimestamp(), settings.Limit);
        _values = [CacheText.Number(settings.Limit), .. settings.Values.Select(static value => (ReadOnlyMemory<byte>)value)];
        Keys = [settings.Key];
        if (settings.QueueLimit > 0)
            _queue = new LimitQueue(settings, TakeQueuedAsync, lookEvery, time);
    }

    /// <inheritdoc/>
    public override TimeSpan? IdleDuration =>
        IsInUse || _queue is { IsEmpty: false } ? null : _time.GetElapsedTime(Volatile.Read(ref _usedAt));

    /// <summary>Whether permits are out that come back.</summary>
    protected virtual bool IsInUse => false;

    /// <summary>The script's keys, of which the first is the limit's.</summary>
    protected ReadOnlyMemory<byte>[] Keys { get; init; }

    /// <summary>To the server.</summary>
    protected ICacheLink Link { get; }

    /// <summary>Those who wait; null when requests are refused instead.</summary>
    protected LimitQueue? Queue => _queue;

    /// <inheritdoc/>
    /// <remarks>The permits that are left are those of the last reply; other instances may have used them since.</remarks>
    public override RateLimiterStatistics? GetStatistics() =>
        new()
        {
            CurrentAvailablePermits = Math.Max(0, Volatile.Read(ref _available)),
            CurrentQueuedCount = _queue?.Permits ?? 0,
            TotalSuccessfulLeases = Volatile.Read(ref _granted),
            TotalFailedLeases = Volatile.Read(ref _refused),
        };

    /// <inheritdoc/>
    protected override RateLimitLease AttemptAcquireCore(int permitCount)
    {
        Begin(permitCount);
        if (_queue is { LetsPass: false })
            return LimitLease.Refused;
        return TakeHere(permitCount) is { } lease ? Counted(lease) : LimitLease.Refused;
    }

    /// <inheritdoc/>
    protected override ValueTask<RateLimitLease> AcquireAsyncCore(int permitCount, CancellationToken cancellationToken)
    {
        if (_queue is null && _here is not null)
            return new ValueTask<RateLimitLease>(AttemptAcquireCore(permitCount));
        cancellationToken.ThrowIfCancellationRequested();
        Begin(permitCount);
        return DecideAsync(permitCount, cancellationToken);
    }

    /// <summary>The name of a lease, if its permits come back.</summary>
    protected virtual string NextName(int permitCount) => "";

    /// <summary>The lease of permits that were granted.</summary>
    protected virtual LimitLease Granted(int permitCount, string name) => LimitLease.Plain;

    /// <summary>Makes sure that a request that waits is told when permits come back.</summary>
    protected virtual void Listen() { }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        _isDisposed = true;
        _queue?.Dispose();
        base.Dispose(disposing);
    }

    private void Begin(int permitCount)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(permitCount, _settings.Limit);
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        Volatile.Write(ref _usedAt, _time.GetTimestamp());
    }

    private async ValueTask<RateLimitLease> DecideAsync(int permitCount, CancellationToken cancellationToken)
    {
        RateLimitLease? lease = null;
        if (_queue is not { LetsPass: false })
            lease = await TakeAsync(permitCount, cancellationToken).ConfigureAwait(false);
        if (lease is not { IsAcquired: true } && _queue?.TryEnter(permitCount, cancellationToken) is { } waiting)
            lease = await waiting.ConfigureAwait(false);
        return Counted(lease ?? LimitLease.Refused);
    }

    private ValueTask<RateLimitLease> TakeQueuedAsync(int permitCount)
    {
        Listen();
        return TakeAsync(permitCount, CancellationToken.None);
    }

    // Null when it would have to wait for a reply.
    private LimitLease? TakeHere(int permitCount)
    {
        string name = NextName(permitCount);
        try
        {
            if (_here is not null)
                return Lease(_here.Take(permitCount), permitCount, name);
            return _settings.Script.CallHere(Link, Keys, Values(permitCount, name)) is { } reply
                ? Lease(Answer(reply), permitCount, name)
                : null;
        }
        catch (Exception e) when (_settings.AllowsWithoutServer && CacheMembership.IsLoss(e))
        {
            return LimitLease.Plain;
        }
    }

    // A request that was sent is executed although its caller has given up, and its permits come back if they are of that kind.
    private async ValueTask<RateLimitLease> TakeAsync(int permitCount, CancellationToken cancellationToken)
    {
        if (_here is not null)
            return TakeHere(permitCount)!;
        string name = NextName(permitCount);
        Task<RespValue> asking = _settings.Script.CallAsync(Link, Keys, Values(permitCount, name)).AsTask();
        try
        {
            RespValue reply = await asking.WaitAsync(cancellationToken).ConfigureAwait(false);
            return Lease(Answer(reply), permitCount, name);
        }
        catch (Exception e) when (_settings.AllowsWithoutServer && CacheMembership.IsLoss(e))
        {
            _ = AbandonAsync(asking, permitCount, name);
            return LimitLease.Plain;
        }
        catch (Exception e) when (CacheMembership.IsLoss(e) || e is OperationCanceledException)
        {
            _ = AbandonAsync(asking, permitCount, name);
            throw;
        }
    }

    private async Task AbandonAsync(Task<RespValue> asking, int permitCount, string name)
    {
        if (name.Length == 0 || permitCount == 0)
            return;
        await ((Task)asking).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        Granted(permitCount, name).Dispose();
    }

    private ReadOnlyMemory<byte>[] Values(int permitCount, string name)
    {
        byte[] permits = permitCount == 1 ? One : CacheText.Number(permitCount);
        return name.Length == 0 ? [permits, .. _values] : [permits, .. _values, System.Text.Encoding.ASCII.GetBytes(name)];
    }

    private static LimitAnswer Answer(RespValue reply) =>
        reply.Kind == RespKind.Integer
            ? new LimitAnswer(true, reply.AsInt64(), 0)
            : new LimitAnswer(false, reply[0].AsInt64(), reply[1].AsInt64());

    private LimitLease Lease(in LimitAnswer answer, int permitCount, string name)
    {
        Volatile.Write(ref _available, answer.Left);
        if (answer.IsGranted)
            return permitCount == 0 ? LimitLease.Plain : Granted(permitCount, name);
        return new LimitLease(isGranted: false, answer.RetryMs < 0 ? null : TimeSpan.FromMilliseconds(answer.RetryMs));
    }

    private RateLimitLease Counted(RateLimitLease lease)
    {
        Interlocked.Increment(ref lease.IsAcquired ? ref _granted : ref _refused);
        return lease;
    }
}
