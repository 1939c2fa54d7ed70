// Makes limiters. Thread-safe.
using System.Text;
using System.Threading.RateLimiting;
using Garnet.Caching.Links;

namespace Garnet.Caching.Limits;

/// <summary>All limiters share a link.</summary>
internal sealed class GarnetLimits : IGarnetLimits, IAsyncDisposable, IDisposable
{
    // What a request that waits makes of a refusal without a time, which a count gives whose key was set by hand.
    private static readonly TimeSpan LookEvery = TimeSpan.FromSeconds(1);

    private readonly ICacheLink _link;
    private readonly GarnetLimitOptions _options;
    private readonly TimeProvider _time;
    private readonly ReturnedPermits _returned;

    /// <param name="connect">Makes a link that subscribes to channels.</param>
    /// <param name="options">The settings.</param>
    /// <param name="time">The clock.</param>
    public GarnetLimits(Func<IReadOnlyList<string>, ICacheLink> connect, GarnetLimitOptions options, TimeProvider time)
    {
        (_options, _time) = (options, time);
        string channel = ReturnedPermits.ChannelName(options.InstanceName);
        _link = connect([channel]);
        _returned = new ReturnedPermits(_link, channel);
    }

    /// <inheritdoc/>
    public RateLimiter FixedWindow(
        string name,
        int permitLimit,
        TimeSpan window,
        int queueLimit = 0,
        QueueProcessingOrder queueProcessingOrder = QueueProcessingOrder.OldestFirst
    ) =>
        Create(
            Settings("fixed:", name, permitLimit, LimitScripts.FixedWindow, queueLimit, queueProcessingOrder) with
            {
                Values = [Time(window, nameof(window))],
            },
            (garnet, key) => new InProcessWindow(garnet, key, permitLimit, window)
        );

    /// <inheritdoc/>
    public RateLimiter SlidingWindow(
        string name,
        int permitLimit,
        TimeSpan window,
        int segmentsPerWindow,
        int queueLimit = 0,
        QueueProcessingOrder queueProcessingOrder = QueueProcessingOrder.OldestFirst
    )
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(segmentsPerWindow, 1);
        return Create(
            Settings("sliding:", name, permitLimit, LimitScripts.SlidingWindow, queueLimit, queueProcessingOrder) with
            {
                Values = [Time(window / segmentsPerWindow, nameof(window)), CacheText.Number(segmentsPerWindow)],
            },
            null
        );
    }

    /// <inheritdoc/>
    public RateLimiter TokenBucket(
        string name,
        int tokenLimit,
        int tokensPerPeriod,
        TimeSpan replenishmentPeriod,
        int queueLimit = 0,
        QueueProcessingOrder queueProcessingOrder = QueueProcessingOrder.OldestFirst
    )
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(tokensPerPeriod, 1);
        return Create(
            Settings("bucket:", name, tokenLimit, LimitScripts.TokenBucket, queueLimit, queueProcessingOrder) with
            {
                Values = [CacheText.Number(tokensPerPeriod), Time(replenishmentPeriod, nameof(replenishmentPeriod))],
            },
            (garnet, key) =>
                new InProcessBucket(garnet, key, tokenLimit, (double)tokensPerPeriod / CacheText.Milliseconds(replenishmentPeriod), _time)
        );
    }

    /// <inheritdoc/>
    public RateLimiter Concurrency(
        string name,
        int permitLimit,
        int queueLimit = 0,
        QueueProcessingOrder queueProcessingOrder = QueueProcessingOrder.OldestFirst
    ) =>
        new SharedConcurrencyLimiter(
            _link,
            Settings("concurrency:", name, permitLimit, LimitScripts.Concurrency, queueLimit, queueProcessingOrder) with
            {
                Values = SharedConcurrencyLimiter.Values(_options.Lease, queueLimit),
            },
            Key("waiting:", name),
            _options.Lease,
            _returned,
            _time
        );

    /// <inheritdoc/>
    public void Dispose() => DisposeAsync().AsTask().GetAwaiter().GetResult();

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _link.DisposeAsync();

    private LimitSettings Settings(string kind, string name, int limit, CacheScript script, int queueLimit, QueueProcessingOrder order)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        ArgumentOutOfRangeException.ThrowIfLessThan(limit, 1);
        ArgumentOutOfRangeException.ThrowIfNegative(queueLimit);
        return new LimitSettings(Key(kind, name), limit, script, [], _options.AllowWithoutServer, queueLimit, order);
    }

    private SharedRateLimiter Create(LimitSettings settings, Func<IGarnet, byte[], InProcessCount>? count)
    {
        InProcessCount? here = _link.Here is { } garnet && count is not null ? count(garnet, settings.Key) : null;
        return new SharedRateLimiter(_link, settings, here, LookEvery, _time);
    }

    private byte[] Key(string kind, string name) => Encoding.UTF8.GetBytes($"{_options.InstanceName}limit-{kind}{name}");

    private static byte[] Time(TimeSpan time, string name)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(time, TimeSpan.FromMilliseconds(1), name);
        return CacheText.Number(CacheText.Milliseconds(time));
    }
}
