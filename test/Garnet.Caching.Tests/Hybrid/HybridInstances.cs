// Instances of one hybrid cache in a test, each with a link of its own that can be troubled. One owner, which disposes of it.
using System.Collections.Concurrent;
using Garnet.Caching.Coherence;
using Garnet.Caching.Hybrid;
using Garnet.Caching.Hybrid.Serialization;
using Garnet.Caching.Links;
using Garnet.Client;
using Garnet.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Garnet.Caching.Tests.Hybrid;

/// <summary>Makes caches over one server, which stand for as many processes.</summary>
internal sealed class HybridInstances(TimeProvider time, Func<System.Net.EndPoint> endPoint, IGarnet? inProcess) : IAsyncDisposable
{
    private readonly List<GarnetHybridCache> _caches = [];

    /// <summary>What the caches have logged.</summary>
    public ConcurrentQueue<string> Log { get; } = new();

    /// <summary>Services for serializers.</summary>
    public ServiceCollection Services { get; } = [];

    /// <summary>How long removals wait.</summary>
    public static readonly TimeSpan Lease = TimeSpan.FromMilliseconds(500);

    /// <summary>Makes an instance.</summary>
    /// <param name="overSocket">Over a connection, or in the process.</param>
    /// <param name="configure">Changes options.</param>
    /// <param name="trouble">Wraps its connections.</param>
    /// <param name="clock">Its own clock, if not that of all.</param>
    /// <param name="wrap">Wraps its links.</param>
    public GarnetHybridCache Create(
        bool overSocket = true,
        Action<GarnetHybridCacheOptions>? configure = null,
        LinkTrouble? trouble = null,
        TimeProvider? clock = null,
        Func<ICacheLink, ICacheLink>? wrap = null
    )
    {
        GarnetHybridCacheOptions options = new() { InstanceName = "h:", LocalLease = Lease };
        configure?.Invoke(options);
        CoherentTags coherence = new(
            channels =>
            {
                ICacheLink link = overSocket ? Remote(channels, trouble) : new InProcessLink(inProcess!, channels);
                return wrap is null ? link : wrap(link);
            },
            options.InstanceName,
            options.LocalLease,
            new ReplicaWait(options.ReplicasToWaitFor, options.ReplicaTimeout),
            clock ?? time
        );
        EntrySerializers serializers = new(Services.BuildServiceProvider());
        GarnetHybridCache cache = new(new CacheParts(coherence, options, serializers, new QueueLogger(Log), null, clock ?? time));
        _caches.Add(cache);
        return cache;
    }

    /// <summary>
    /// Lets time pass in steps in which the leases of caches are renewed, until each has one and has been a member for a lease: then its
    /// changes end by acknowledgements, and time may stand still.
    /// </summary>
    public static Task AdvanceAsync(ManualTimeProvider clock, TimeSpan time, params GarnetHybridCache[] caches) =>
        AdvanceAsync(clock, time, [.. caches.Select(static cache => cache.Parts.Membership)]);

    /// <inheritdoc cref="AdvanceAsync(ManualTimeProvider, TimeSpan, GarnetHybridCache[])"/>
    public static async Task AdvanceAsync(ManualTimeProvider clock, TimeSpan time, params CacheMembership[] members)
    {
        TimeSpan step = Lease / 4;
        foreach (CacheMembership member in members)
            await member.Began;
        for (TimeSpan left = time; ; left -= step)
        {
            // A renewal within the last step.
            await UntilAsync(() => members.All(member => IsLive(member, clock, step + (step / 5))));
            if (left <= TimeSpan.Zero && members.All(member => IsKnown(member, clock)))
                return;
            clock.Advance(left <= TimeSpan.Zero || left > step ? step : left);
        }
    }

    /// <summary>Waits for a condition.</summary>
    public static async Task UntilAsync(Func<bool> condition)
    {
        while (!condition())
            await Task.Delay(1);
    }

    /// <summary>An instance has gone without a word.</summary>
    public void Forget(GarnetHybridCache cache) => _caches.Remove(cache);

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (GarnetHybridCache cache in _caches)
            await cache.DisposeAsync();
    }

    private static bool IsLive(CacheMembership member, ManualTimeProvider clock, TimeSpan most) =>
        member.Session is { } session && session.IsLive(clock.GetTimestamp() + (Lease * 0.9).Ticks - most.Ticks);

    private static bool IsKnown(CacheMembership member, ManualTimeProvider clock) =>
        member.Session is { } session && clock.GetElapsedTime(session.BeganAt) >= Lease;

    private RespLink Remote(IReadOnlyList<string> channels, LinkTrouble? trouble) =>
        new(
            new RespMultiplexerOptions
            {
                EndPoint = endPoint(),
                ReplyTimeout = trouble?.ReplyTimeout ?? TimeSpan.FromMinutes(1),
                ConnectTimeout = TimeSpan.FromSeconds(30),
                RetryDelay = TimeSpan.FromMilliseconds(1),
                StreamFilter = trouble is null ? null : trouble.WrapAsync,
            },
            channels
        );

    private sealed class QueueLogger(ConcurrentQueue<string> queue) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel,
            EventId eventId,
            TState state,
            Exception? exception,
            Func<TState, Exception?, string> formatter
        ) => queue.Enqueue(formatter(state, exception));
    }
}
