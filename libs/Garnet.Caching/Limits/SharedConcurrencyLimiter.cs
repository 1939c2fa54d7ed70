// How many may do something at once, over all instances. Thread-safe.
using System.Collections.Concurrent;
using System.Text;
using Garnet.Caching.Coherence;
using Garnet.Caching.Links;

namespace Garnet.Caching.Limits;

/// <summary>Renews the permits that this instance has out; those of an instance that died come back after their lease.</summary>
internal sealed class SharedConcurrencyLimiter : SharedRateLimiter
{
    private const int RenewalsPerLease = 3;

    private readonly ConcurrentDictionary<ConcurrencyLease, byte> _out = new();
    private readonly string _instance = Guid.NewGuid().ToString("N");
    private readonly byte[] _leaseMs;
    private readonly ITimer _renewals;
    private long _leases;

    public SharedConcurrencyLimiter(ICacheLink link, byte[] key, int limit, TimeSpan lease, bool allowsWithoutServer, TimeProvider time)
        : base(link, LimitScripts.Concurrency, key, limit, [Milliseconds(lease)], null, allowsWithoutServer, time)
    {
        _leaseMs = Milliseconds(lease);
        _renewals = time.CreateTimer(
            static self => _ = ((SharedConcurrencyLimiter)self!).RenewAsync(),
            this,
            lease / RenewalsPerLease,
            lease / RenewalsPerLease
        );
    }

    /// <inheritdoc/>
    protected override bool IsInUse => !_out.IsEmpty;

    /// <summary>Takes permits back; not waited for, as disposing a lease cannot, and they come back by themselves if that fails.</summary>
    public void Return(ConcurrencyLease lease)
    {
        if (_out.TryRemove(lease, out _))
            _ = ReturnAsync(lease);
    }

    /// <inheritdoc/>
    protected override string NextName(int permitCount) => $"{_instance}{Interlocked.Increment(ref _leases):x}";

    /// <inheritdoc/>
    protected override LimitLease Granted(int permitCount, string name)
    {
        ConcurrencyLease lease = new(this, name, permitCount);
        _out[lease] = 0;
        return lease;
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        _renewals.Dispose();
        base.Dispose(disposing);
    }

    private static byte[] Milliseconds(TimeSpan span) => CacheText.Number(CacheText.Milliseconds(span));

    private async Task ReturnAsync(ConcurrencyLease lease)
    {
        try
        {
            await Link.CallAsync("ZREM", [.. Keys, .. Bytes(lease)]).ConfigureAwait(false);
        }
        catch (Exception e) when (CacheMembership.IsLoss(e) || e is ObjectDisposedException)
        {
            // They come back when they are not renewed.
        }
    }

    private async Task RenewAsync()
    {
        ReadOnlyMemory<byte>[] members = [.. _out.Keys.SelectMany(Bytes)];
        if (members.Length == 0)
            return;
        try
        {
            await LimitScripts.Renew.CallAsync(Link, Keys, [_leaseMs, .. members]).ConfigureAwait(false);
        }
        catch (Exception e) when (CacheMembership.IsLoss(e) || e is ObjectDisposedException)
        {
            // Tried again at the next tick.
        }
    }

    private static IEnumerable<ReadOnlyMemory<byte>> Bytes(ConcurrencyLease lease) =>
        lease.Members.Select(static member => (ReadOnlyMemory<byte>)Encoding.ASCII.GetBytes(member));
}
