// Requests that wait for permits, as those of .NET's own limiters. Virtual time, which the tests let pass until what they wait for happens.
using System.Threading.RateLimiting;
using Garnet.Caching.Limits;
using Garnet.Caching.Links;
using Garnet.Caching.Tests.Hybrid;
using Garnet.Client;
using Garnet.Testing;
using Xunit;

namespace Garnet.Caching.Tests.Limits;

public sealed class LimitQueueTests : IAsyncLifetime
{
    private static readonly TimeSpan Window = TimeSpan.FromSeconds(10);

    private readonly ManualTimeProvider _clock = new();
    private readonly List<GarnetLimits> _all = [];
    private TestServer _server = null!;

    public static TheoryData<bool> Transports => [false, true];

    public static TheoryData<string, bool> Kinds =>
        new()
        {
            { "fixed", false },
            { "fixed", true },
            { "sliding", false },
            { "sliding", true },
            { "bucket", false },
            { "bucket", true },
        };

    public Task InitializeAsync()
    {
        _server = TestServer.Start(time: _clock);
        return Task.CompletedTask;
    }

    public async Task DisposeAsync()
    {
        foreach (GarnetLimits limits in _all)
            await limits.DisposeAsync();
        _server.Dispose();
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Who_waits_is_served_in_the_order_of_arrival_and_nobody_passes(string kind, bool overSocket)
    {
        using RateLimiter limiter = Limiter(kind, Create(overSocket), permits: 2, queueLimit: 4);
        Assert.True((await limiter.AcquireAsync(2)).IsAcquired);
        Task<RateLimitLease>[] waiting = [await QueueAsync(limiter, 1), await QueueAsync(limiter, 2), await QueueAsync(limiter, 1)];
        Assert.Equal(4, limiter.GetStatistics()!.CurrentQueuedCount);
        Assert.Null(limiter.IdleDuration);
        // There is no room for another one, and none that would not wait gets past.
        Assert.False((await limiter.AcquireAsync()).IsAcquired);
        Assert.False(limiter.AttemptAcquire().IsAcquired);
        for (int i = 0; i < waiting.Length; i++)
        {
            await PassUntilAsync(() => waiting[i].IsCompleted);
            Assert.True((await waiting[i]).IsAcquired);
            // What the next one needs does not come in the same window.
            if (i == 0)
                Assert.False(waiting[1].IsCompleted);
        }

        RateLimiterStatistics statistics = limiter.GetStatistics()!;
        Assert.Equal((0, 4), (statistics.CurrentQueuedCount, statistics.TotalSuccessfulLeases));
        Assert.NotNull(limiter.IdleDuration);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task The_newest_may_come_first_and_takes_the_place_of_the_oldest(bool overSocket)
    {
        using RateLimiter limiter = Create(overSocket).FixedWindow("a", 1, Window, 2, QueueProcessingOrder.NewestFirst);
        Assert.True((await limiter.AcquireAsync()).IsAcquired);
        Task<RateLimitLease> oldest = await QueueAsync(limiter, 1),
            older = await QueueAsync(limiter, 1),
            newest = limiter.AcquireAsync().AsTask();
        Assert.False((await oldest).IsAcquired);
        await PassUntilAsync(() => newest.IsCompleted);
        Assert.True((await newest).IsAcquired);
        Assert.False(older.IsCompleted);
        await PassUntilAsync(() => older.IsCompleted);
        Assert.True((await older).IsAcquired);
    }

    // Time stands still: they are told, whether the permits come back here or on another instance.
    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task Permits_that_come_back_wake_who_waits_for_them(bool overSocket, bool sameInstance)
    {
        GarnetLimits limits = Create(overSocket);
        using RateLimiter limiter = limits.Concurrency("a", 2, queueLimit: 10),
            other = sameInstance ? limits.Concurrency("a", 2) : Create(!overSocket).Concurrency("a", 2);
        for (int i = 0; i < 20; i++)
        {
            RateLimitLease held = await other.AcquireAsync(2);
            Assert.True(held.IsAcquired);
            Task<RateLimitLease> first = await QueueAsync(limiter, 1),
                second = await QueueAsync(limiter, 1),
                third = await QueueAsync(limiter, 2);
            held.Dispose();
            using (
                RateLimitLease one = await first,
                    two = await second
            )
            {
                Assert.True(one.IsAcquired && two.IsAcquired);
                Assert.False(third.IsCompleted);
            }

            (await third).Dispose();
            await HybridInstances.UntilAsync(() => Concurrent() == 0);
        }
    }

    [Fact]
    public async Task Permits_of_the_dead_come_to_who_waits_when_their_lease_is_over()
    {
        LinkTrouble trouble = new();
        using RateLimiter limiter = Create(overSocket: true).Concurrency("a", 1, queueLimit: 1),
            dead = Create(overSocket: true, trouble).Concurrency("a", 1);
        Assert.True((await dead.AcquireAsync()).IsAcquired);
        trouble.HoldWrites();
        Task<RateLimitLease> waiting = await QueueAsync(limiter, 1);
        await PassUntilAsync(() => waiting.IsCompleted);
        Assert.True((await waiting).IsAcquired);
        trouble.Release();
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Who_gives_up_leaves_the_queue(bool overSocket)
    {
        using RateLimiter limiter = Create(overSocket).FixedWindow("a", 3, Window, queueLimit: 3);
        Assert.True((await limiter.AcquireAsync(2)).IsAcquired);
        using CancellationTokenSource cancel = new();
        Task<RateLimitLease> large = await QueueAsync(limiter, 2, cancel.Token),
            small = await QueueAsync(limiter, 1);
        Assert.False(small.IsCompleted);
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => large);
        // The next one needs less, and gets it at once.
        Assert.True((await small).IsAcquired);
        Assert.Equal(0, limiter.GetStatistics()!.CurrentQueuedCount);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await limiter.AcquireAsync(1, cancel.Token));
    }

    [Fact]
    public async Task Permits_that_were_granted_to_one_that_has_left_come_back()
    {
        Queue<TaskCompletionSource<RateLimitLease>> asked = [];
        using LimitQueue queue = new(
            new LimitSettings([], 1, LimitScripts.Concurrency, [], false, 2, QueueProcessingOrder.OldestFirst),
            _ =>
            {
                asked.Enqueue(new TaskCompletionSource<RateLimitLease>());
                return new ValueTask<RateLimitLease>(asked.Last().Task);
            },
            Window,
            _clock
        );
        using CancellationTokenSource cancel = new();
        Task<RateLimitLease> gone = queue.TryEnter(1, cancel.Token)!,
            next = queue.TryEnter(1, CancellationToken.None)!;
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => gone);
        Assert.Equal(1, queue.Permits);
        Assert.Single(asked);
        ReturnedLease late = new(),
            own = new();
        asked.Dequeue().SetResult(late);
        Assert.True(late.IsReturned);
        // The next one asks for itself.
        asked.Dequeue().SetResult(own);
        Assert.Same(own, await next);
        Assert.False(own.IsReturned);
        Assert.True(queue.IsEmpty);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Disposal_refuses_who_waits(bool overSocket)
    {
        GarnetLimits limits = Create(overSocket);
        RateLimiter[] all = [limits.FixedWindow("a", 1, Window, queueLimit: 2), limits.Concurrency("a", 1, queueLimit: 2)];
        foreach (RateLimiter limiter in all)
        {
            RateLimitLease held = await limiter.AcquireAsync();
            Task<RateLimitLease>[] waiting = [await QueueAsync(limiter, 1), await QueueAsync(limiter, 1)];
            await limiter.DisposeAsync();
            foreach (Task<RateLimitLease> each in waiting)
                Assert.False((await each).IsAcquired);
            await Assert.ThrowsAsync<ObjectDisposedException>(async () => await limiter.AcquireAsync());
            held.Dispose();
        }

        await HybridInstances.UntilAsync(() => Concurrent() == 0);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Without_a_server_who_waits_is_told_or_let_in(bool allows)
    {
        LinkTrouble trouble = new();
        using RateLimiter limiter = Create(overSocket: true, trouble, allows).Concurrency("a", 1, queueLimit: 2);
        using RateLimitLease held = await limiter.AcquireAsync();
        Task<RateLimitLease>[] waiting = [await QueueAsync(limiter, 1), await QueueAsync(limiter, 1)];
        trouble.IsRefused = true;
        trouble.Cut();
        foreach (Task<RateLimitLease> each in waiting)
        {
            if (allows)
                Assert.True((await each).IsAcquired);
            else
                await Assert.ThrowsAsync<RespConnectionException>(() => each);
        }
    }

    [Fact]
    public async Task A_queue_that_cannot_be_is_refused()
    {
        GarnetLimits limits = Create(overSocket: false);
        Assert.Throws<ArgumentOutOfRangeException>(() => limits.Concurrency("a", 1, queueLimit: -1));
        using RateLimiter limiter = limits.FixedWindow("a", 5, Window, queueLimit: 1);
        Assert.True((await limiter.AcquireAsync(5)).IsAcquired);
        // One that has no room in the whole queue.
        Assert.False((await limiter.AcquireAsync(2)).IsAcquired);
    }

    // Eight limiters of as many instances: never more at once than there are permits, and all are served.
    [Fact]
    public async Task All_who_wait_are_served_and_never_too_many_at_once()
    {
        const int Permits = 3;
        const int Each = 40;
        int now = 0,
            most = 0,
            served = 0;
        RateLimiter[] all = [.. Enumerable.Range(0, 8).Select(i => Create(i % 2 == 0).Concurrency("a", Permits, queueLimit: Each))];
        await Task.WhenAll(all.SelectMany(limiter => Enumerable.Range(0, Each).Select(_ => Task.Run(() => HoldAsync(limiter)))));
        Assert.Equal(8 * Each, served);
        Assert.InRange(most, 1, Permits);
        foreach (RateLimiter limiter in all)
            await limiter.DisposeAsync();

        async Task HoldAsync(RateLimiter limiter)
        {
            using RateLimitLease lease = await limiter.AcquireAsync();
            Assert.True(lease.IsAcquired);
            int at = Interlocked.Increment(ref now);
            lock (all)
                most = Math.Max(most, at);
            await Task.Yield();
            Interlocked.Decrement(ref now);
            Interlocked.Increment(ref served);
        }
    }

    // One after the other, since over a connection those that ask at once are refused in any order.
    private static async Task<Task<RateLimitLease>> QueueAsync(RateLimiter limiter, int permits, CancellationToken cancel = default)
    {
        long before = limiter.GetStatistics()!.CurrentQueuedCount;
        Task<RateLimitLease> waiting = limiter.AcquireAsync(permits, cancel).AsTask();
        await HybridInstances.UntilAsync(() => limiter.GetStatistics()!.CurrentQueuedCount == before + permits);
        return waiting;
    }

    private static RateLimiter Limiter(string kind, GarnetLimits limits, int permits, int queueLimit) =>
        kind switch
        {
            "fixed" => limits.FixedWindow("a", permits, Window, queueLimit),
            "sliding" => limits.SlidingWindow("a", permits, Window, 2, queueLimit),
            _ => limits.TokenBucket("a", permits, 1, Window, queueLimit),
        };

    private async Task PassUntilAsync(Func<bool> condition)
    {
        while (!condition())
        {
            _clock.Advance(TimeSpan.FromMilliseconds(500));
            await Task.Delay(1);
        }
    }

    private long Concurrent() => _server.Server.InProcess.Execute("ZCARD", "limit-concurrency:a").Integer;

    private GarnetLimits Create(bool overSocket, LinkTrouble? trouble = null, bool allows = false)
    {
        GarnetLimits limits = new(
            channels =>
                overSocket
                    ? new RespLink(
                        new RespMultiplexerOptions
                        {
                            EndPoint = _server.EndPoint,
                            ReplyTimeout = TimeSpan.FromMinutes(1),
                            RetryDelay = TimeSpan.FromMilliseconds(1),
                            StreamFilter = trouble is null ? null : trouble.WrapAsync,
                        },
                        channels
                    )
                    : new InProcessLink(_server.Server.InProcess, channels),
            new GarnetLimitOptions { AllowWithoutServer = allows },
            _clock
        );
        _all.Add(limits);
        return limits;
    }

    private sealed class ReturnedLease : RateLimitLease
    {
        public bool IsReturned { get; private set; }

        public override bool IsAcquired => true;

        public override IEnumerable<string> MetadataNames => [];

        public override bool TryGetMetadata(string metadataName, out object? metadata)
        {
            metadata = null;
            return false;
        }

        protected override void Dispose(bool disposing) => IsReturned = true;
    }
}
