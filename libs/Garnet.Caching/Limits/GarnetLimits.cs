// Makes limiters. Thread-safe.
using System.Text;
using System.Threading.RateLimiting;
using Garnet.Caching.Links;

namespace Garnet.Caching.Limits;

/// <summary>All limiters share a link.</summary>
internal sealed class GarnetLimits(ICacheLink link, GarnetLimitOptions options, TimeProvider time)
    : IGarnetLimits,
        IAsyncDisposable,
        IDisposable
{
    /// <inheritdoc/>
    public RateLimiter FixedWindow(string name, int permitLimit, TimeSpan window) =>
        Create(
            "fixed:",
            name,
            permitLimit,
            LimitScripts.FixedWindow,
            (garnet, key) => new InProcessWindow(garnet, key, permitLimit, window),
            Time(window, nameof(window))
        );

    /// <inheritdoc/>
    public RateLimiter SlidingWindow(string name, int permitLimit, TimeSpan window, int segmentsPerWindow)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(segmentsPerWindow, 1);
        return Create(
            "sliding:",
            name,
            permitLimit,
            LimitScripts.SlidingWindow,
            null,
            Time(window / segmentsPerWindow, nameof(window)),
            CacheText.Number(segmentsPerWindow)
        );
    }

    /// <inheritdoc/>
    public RateLimiter TokenBucket(string name, int tokenLimit, int tokensPerPeriod, TimeSpan replenishmentPeriod)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(tokensPerPeriod, 1);
        return Create(
            "bucket:",
            name,
            tokenLimit,
            LimitScripts.TokenBucket,
            (garnet, key) =>
                new InProcessBucket(garnet, key, tokenLimit, (double)tokensPerPeriod / CacheText.Milliseconds(replenishmentPeriod), time),
            CacheText.Number(tokensPerPeriod),
            Time(replenishmentPeriod, nameof(replenishmentPeriod))
        );
    }

    /// <inheritdoc/>
    public RateLimiter Concurrency(string name, int permitLimit) =>
        new SharedConcurrencyLimiter(
            link,
            Key("concurrency:", name, permitLimit),
            permitLimit,
            options.Lease,
            options.AllowWithoutServer,
            time
        );

    /// <inheritdoc/>
    public void Dispose() => DisposeAsync().AsTask().GetAwaiter().GetResult();

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => link.DisposeAsync();

    private SharedRateLimiter Create(
        string kind,
        string name,
        int limit,
        CacheScript script,
        Func<IGarnet, byte[], InProcessCount>? count,
        params byte[][] settings
    )
    {
        byte[] key = Key(kind, name, limit);
        InProcessCount? here = link.Here is { } garnet && count is not null ? count(garnet, key) : null;
        return new SharedRateLimiter(link, script, key, limit, settings, here, options.AllowWithoutServer, time);
    }

    private byte[] Key(string kind, string name, int limit)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        ArgumentOutOfRangeException.ThrowIfLessThan(limit, 1);
        return Encoding.UTF8.GetBytes($"{options.InstanceName}limit-{kind}{name}");
    }

    private static byte[] Time(TimeSpan time, string name)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(time, TimeSpan.FromMilliseconds(1), name);
        return CacheText.Number(CacheText.Milliseconds(time));
    }
}
