// How many may do something at once, over all instances. Thread-safe.
using System.Text;
using Garnet.Caching.Coherence;
using Garnet.Caching.Links;

namespace Garnet.Caching.Limits;

/// <summary>
/// Renews the permits that this instance has out, also when it is disposed meanwhile; those of an instance that died come back after their
/// lease.
/// </summary>
internal sealed class SharedConcurrencyLimiter : SharedRateLimiter
{
    private const int RenewalsPerLease = 3;

    private readonly Lock _gate = new();
    private readonly HashSet<ConcurrencyLease> _out = [];
    private readonly string _instance = Guid.NewGuid().ToString("N");
    private readonly byte[] _leaseMs;
    private readonly TimeSpan _renewEvery;
    private readonly ITimer _renewals;
    private readonly ReturnedPermits _returned;
    private readonly string _name;
    private readonly Action? _told;
    private long _leases;
    private bool _isEnded;

    /// <param name="link">To the server.</param>
    /// <param name="settings">The limit.</param>
    /// <param name="waitingKey">The key that exists while somebody waits, on any instance.</param>
    /// <param name="lease">How long permits are out without being renewed.</param>
    /// <param name="returned">Tells when permits came back.</param>
    /// <param name="time">The clock.</param>
    public SharedConcurrencyLimiter(
        ICacheLink link,
        LimitSettings settings,
        byte[] waitingKey,
        TimeSpan lease,
        ReturnedPermits returned,
        TimeProvider time
    )
        : base(link, settings, null, lease / RenewalsPerLease, time)
    {
        (_leaseMs, _returned, _name) = (Milliseconds(lease), returned, Encoding.UTF8.GetString(settings.Key));
        Keys = [settings.Key, waitingKey];
        _renewEvery = lease / RenewalsPerLease;
        _renewals = time.CreateTimer(static self => _ = ((SharedConcurrencyLimiter)self!).RenewAsync(), this, _renewEvery, _renewEvery);
        if (Queue is not { } queue)
            return;
        _told = queue.Wake;
        returned.Add(_name, _told);
    }

    /// <inheritdoc/>
    protected override bool IsInUse
    {
        get
        {
            lock (_gate)
                return _out.Count != 0;
        }
    }

    /// <summary>Takes permits back; not waited for, as disposing a lease cannot, and they come back by themselves if that fails.</summary>
    public void Return(ConcurrencyLease lease)
    {
        lock (_gate)
        {
            _out.Remove(lease);
            StopIfOver();
        }

        _ = ReturnAsync(lease);
    }

    /// <inheritdoc/>
    protected override string NextName(int permitCount) => $"{_instance}{Interlocked.Increment(ref _leases):x}";

    /// <inheritdoc/>
    protected override LimitLease Granted(int permitCount, string name)
    {
        ConcurrencyLease lease = new(this, name, permitCount);
        lock (_gate)
        {
            _out.Add(lease);
            // The answer came after the disposal, which had stopped them.
            if (_isEnded)
                _renewals.Change(_renewEvery, _renewEvery);
        }

        return lease;
    }

    /// <inheritdoc/>
    protected override void Listen() => _returned.Subscribe();

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        lock (_gate)
        {
            _isEnded = true;
            StopIfOver();
        }

        if (_told is not null)
            _returned.Remove(_name, _told);
        base.Dispose(disposing);
    }

    /// <summary>The values of <see cref="LimitScripts.Concurrency"/> behind permits and limit.</summary>
    public static byte[][] Values(TimeSpan lease, int queueLimit) =>
        [Milliseconds(lease), queueLimit > 0 ? "1"u8.ToArray() : "0"u8.ToArray()];

    private static byte[] Milliseconds(TimeSpan span) => CacheText.Number(CacheText.Milliseconds(span));

    // Not disposed, since it may have to go on; a timer without a due time is held by nothing else.
    private void StopIfOver()
    {
        if (_isEnded && _out.Count == 0)
            _renewals.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    private async Task ReturnAsync(ConcurrencyLease lease)
    {
        try
        {
            await LimitScripts.Return.CallAsync(Link, Keys, [_returned.Channel, .. Bytes(lease)]).ConfigureAwait(false);
        }
        catch (Exception e) when (CacheMembership.IsLoss(e) || e is ObjectDisposedException)
        {
            // They come back when they are not renewed.
        }
    }

    private async Task RenewAsync()
    {
        ReadOnlyMemory<byte>[] members;
        lock (_gate)
            members = [.. _out.SelectMany(Bytes)];
        if (members.Length == 0)
            return;
        try
        {
            await LimitScripts.Renew.CallAsync(Link, [Keys[0]], [_leaseMs, .. members]).ConfigureAwait(false);
        }
        catch (Exception e) when (CacheMembership.IsLoss(e) || e is ObjectDisposedException)
        {
            // Tried again at the next tick.
        }
    }

    private static IEnumerable<ReadOnlyMemory<byte>> Bytes(ConcurrencyLease lease) =>
        lease.Members.Select(static member => (ReadOnlyMemory<byte>)Encoding.ASCII.GetBytes(member));
}
