// A limit that instances share. Thread-safe.
using System.Threading.RateLimiting;
using Garnet.Caching.Coherence;
using Garnet.Caching.Links;
using Garnet.Client;

namespace Garnet.Caching.Limits;

/// <summary>
/// One script for each request. Over a connection only <c>AcquireAsync</c> decides; <c>AttemptAcquire</c> would have to wait.
/// </summary>
/// <param name="link">To the server.</param>
/// <param name="script">Of <see cref="LimitScripts"/>.</param>
/// <param name="key">The limit's key.</param>
/// <param name="limit">Most permits that one request can get.</param>
/// <param name="settings">The values behind permits and limit.</param>
/// <param name="here">Counts instead of the script, in the server of this process; null to use the script.</param>
/// <param name="allowsWithoutServer">Whether requests are granted while the server cannot be reached.</param>
/// <param name="time">The clock.</param>
internal class SharedRateLimiter(
    ICacheLink link,
    CacheScript script,
    byte[] key,
    int limit,
    byte[][] settings,
    InProcessCount? here,
    bool allowsWithoutServer,
    TimeProvider time
) : RateLimiter
{
    private static readonly LimitLease Undecided = new(isGranted: false, null);
    private static readonly byte[] One = "1"u8.ToArray();

    private readonly ReadOnlyMemory<byte>[] _keys = [key];
    private readonly ReadOnlyMemory<byte>[] _settings =
    [
        CacheText.Number(limit),
        .. settings.Select(static value => (ReadOnlyMemory<byte>)value),
    ];
    private long _usedAt = time.GetTimestamp();
    private long _available = limit;
    private long _granted;
    private long _refused;
    private bool _isDisposed;

    /// <inheritdoc/>
    public override TimeSpan? IdleDuration => IsInUse ? null : time.GetElapsedTime(Volatile.Read(ref _usedAt));

    /// <summary>Whether permits are out that come back.</summary>
    protected virtual bool IsInUse => false;

    /// <summary>The limit's key, for further commands.</summary>
    protected ReadOnlyMemory<byte>[] Keys => _keys;

    /// <summary>To the server.</summary>
    protected ICacheLink Link => link;

    /// <inheritdoc/>
    /// <remarks>The permits that are left are those of the last reply; other instances may have used them since.</remarks>
    public override RateLimiterStatistics? GetStatistics() =>
        new()
        {
            CurrentAvailablePermits = Math.Max(0, Volatile.Read(ref _available)),
            TotalSuccessfulLeases = Volatile.Read(ref _granted),
            TotalFailedLeases = Volatile.Read(ref _refused),
        };

    /// <inheritdoc/>
    protected override RateLimitLease AttemptAcquireCore(int permitCount)
    {
        Begin(permitCount);
        string name = NextName(permitCount);
        try
        {
            if (here is not null)
                return Lease(here.Take(permitCount), permitCount, name);
            return script.CallHere(link, _keys, Values(permitCount, name)) is { } reply
                ? Lease(Answer(reply), permitCount, name)
                : Undecided;
        }
        catch (Exception e) when (allowsWithoutServer && CacheMembership.IsLoss(e))
        {
            return Grant();
        }
    }

    /// <inheritdoc/>
    protected override ValueTask<RateLimitLease> AcquireAsyncCore(int permitCount, CancellationToken cancellationToken) =>
        here is null ? AskAsync(permitCount, cancellationToken) : new ValueTask<RateLimitLease>(AttemptAcquireCore(permitCount));

    /// <summary>The name of a lease, if its permits come back.</summary>
    protected virtual string NextName(int permitCount) => "";

    /// <summary>The lease of permits that were granted.</summary>
    protected virtual LimitLease Granted(int permitCount, string name) => LimitLease.Plain;

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        _isDisposed = true;
        base.Dispose(disposing);
    }

    private void Begin(int permitCount)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(permitCount, limit);
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        Volatile.Write(ref _usedAt, time.GetTimestamp());
    }

    // A request that was sent is executed although its caller has given up, and its permits come back if they are of that kind.
    private async ValueTask<RateLimitLease> AskAsync(int permitCount, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        Begin(permitCount);
        string name = NextName(permitCount);
        Task<RespValue> asking = script.CallAsync(link, _keys, Values(permitCount, name)).AsTask();
        try
        {
            RespValue reply = await asking.WaitAsync(cancellationToken).ConfigureAwait(false);
            return Lease(Answer(reply), permitCount, name);
        }
        catch (Exception e) when (allowsWithoutServer && CacheMembership.IsLoss(e))
        {
            _ = AbandonAsync(asking, permitCount, name);
            return Grant();
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
        return name.Length == 0 ? [permits, .. _settings] : [permits, .. _settings, System.Text.Encoding.ASCII.GetBytes(name)];
    }

    private static LimitAnswer Answer(RespValue reply) => new(reply[0].AsInt64() == 1, reply[1].AsInt64(), reply[2].AsInt64());

    private LimitLease Lease(in LimitAnswer answer, int permitCount, string name)
    {
        Volatile.Write(ref _available, answer.Left);
        if (answer.IsGranted)
        {
            Interlocked.Increment(ref _granted);
            return permitCount == 0 ? LimitLease.Plain : Granted(permitCount, name);
        }

        Interlocked.Increment(ref _refused);
        return new LimitLease(isGranted: false, answer.RetryMs < 0 ? null : TimeSpan.FromMilliseconds(answer.RetryMs));
    }

    private LimitLease Grant()
    {
        Interlocked.Increment(ref _granted);
        return LimitLease.Plain;
    }
}
