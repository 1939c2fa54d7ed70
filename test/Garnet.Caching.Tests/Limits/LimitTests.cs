// Limits shared by limiters in the process and over sockets. Virtual time.
using System.Threading.RateLimiting;
using Garnet.Caching.Limits;
using Garnet.Caching.Links;
using Garnet.Caching.Tests.Hybrid;
using Garnet.Client;
using Garnet.Testing;
using Microsoft.Extensions.DependencyInjection;
using Xunit;

namespace Garnet.Caching.Tests.Limits;

public sealed class LimitTests : IAsyncLifetime
{
    private readonly ManualTimeProvider _clock = new();
    private readonly List<GarnetLimits> _all = [];
    private TestServer _server = null!;

    public static TheoryData<bool> Transports => [false, true];

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
    [MemberData(nameof(Transports))]
    public async Task A_fixed_window_begins_with_its_first_permit(bool overSocket)
    {
        using RateLimiter one = Create(overSocket).FixedWindow("a", 5, TimeSpan.FromSeconds(10)),
            other = Create(!overSocket).FixedWindow("a", 5, TimeSpan.FromSeconds(10));
        Assert.True((await one.AcquireAsync(2)).IsAcquired);
        _clock.Advance(TimeSpan.FromSeconds(4));
        Assert.True((await other.AcquireAsync(3)).IsAcquired);
        Assert.Equal(TimeSpan.FromSeconds(6), RetryAfter(await one.AcquireAsync()));
        Assert.Equal(TimeSpan.FromSeconds(6), RetryAfter(await one.AcquireAsync(0)));
        _clock.Advance(TimeSpan.FromMilliseconds(6001));
        Assert.True((await one.AcquireAsync(0)).IsAcquired);
        Assert.True((await one.AcquireAsync(5)).IsAcquired);
        Assert.False((await other.AcquireAsync()).IsAcquired);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task A_sliding_window_frees_its_segments_one_by_one(bool overSocket)
    {
        using RateLimiter one = Create(overSocket).SlidingWindow("a", 6, TimeSpan.FromSeconds(3), 3),
            other = Create(!overSocket).SlidingWindow("a", 6, TimeSpan.FromSeconds(3), 3);
        foreach (RateLimiter limiter in (RateLimiter[])[one, other, one])
        {
            Assert.True((await limiter.AcquireAsync(2)).IsAcquired);
            _clock.Advance(TimeSpan.FromSeconds(1));
        }

        // The first segment is over now.
        Assert.True((await one.AcquireAsync(2)).IsAcquired);
        Assert.Equal(TimeSpan.FromSeconds(1), RetryAfter(await one.AcquireAsync(1)));
        Assert.Equal(TimeSpan.FromSeconds(2), RetryAfter(await one.AcquireAsync(3)));
        _clock.Advance(TimeSpan.FromSeconds(2));
        Assert.True((await other.AcquireAsync(4)).IsAcquired);
        Assert.False((await other.AcquireAsync(1)).IsAcquired);
        _clock.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(0, _server.Server.InProcess.Execute("EXISTS", "limit-sliding:a").Integer);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task A_token_bucket_fills_at_its_rate(bool overSocket)
    {
        using RateLimiter one = Create(overSocket).TokenBucket("a", 10, 2, TimeSpan.FromSeconds(1)),
            other = Create(!overSocket).TokenBucket("a", 10, 2, TimeSpan.FromSeconds(1));
        Assert.True((await one.AcquireAsync(8)).IsAcquired);
        Assert.True((await other.AcquireAsync(2)).IsAcquired);
        Assert.Equal(TimeSpan.FromMilliseconds(500), RetryAfter(await one.AcquireAsync()));
        Assert.Equal(TimeSpan.FromMilliseconds(2500), RetryAfter(await one.AcquireAsync(5)));
        _clock.Advance(TimeSpan.FromMilliseconds(2500));
        Assert.True((await other.AcquireAsync(5)).IsAcquired);
        Assert.False((await one.AcquireAsync()).IsAcquired);
        _clock.Advance(TimeSpan.FromHours(1));
        Assert.False((await one.AcquireAsync(10)).IsAcquired is false);
        Assert.Equal(0, one.GetStatistics()!.CurrentAvailablePermits);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Concurrent_leases_come_back_and_those_of_the_dead_too(bool overSocket)
    {
        LinkTrouble trouble = new();
        using RateLimiter one = Create(overSocket).Concurrency("a", 3),
            dead = Create(overSocket: true, trouble).Concurrency("a", 3);
        RateLimitLease first = await one.AcquireAsync(2);
        RateLimitLease lost = await dead.AcquireAsync();
        Assert.True(first.IsAcquired && lost.IsAcquired);
        Assert.Null(one.IdleDuration);
        Assert.False((await one.AcquireAsync(0)).IsAcquired);
        Assert.Null(RetryAfter(await one.AcquireAsync()));
        trouble.HoldWrites();
        // Those that live are renewed for as long as they are out.
        for (int i = 0; i < 12; i++)
        {
            _clock.Advance(TimeSpan.FromSeconds(10));
            double expected = _clock.GetUtcNow().AddSeconds(30).ToUnixTimeMilliseconds();
            await HybridInstances.UntilAsync(() =>
                _server.Server.InProcess.Execute("ZRANGE", "limit-concurrency:a", "-1", "-1", "WITHSCORES") is var last
                && last.Children[0].Children.Count == 2
                && last.Children[0][1].AsDouble() == expected
            );
        }

        RateLimitLease second = await one.AcquireAsync();
        Assert.True(second.IsAcquired);
        Assert.False((await one.AcquireAsync()).IsAcquired);
        first.Dispose();
        first.Dispose();
        await HybridInstances.UntilAsync(() => _server.Server.InProcess.Execute("ZCARD", "limit-concurrency:a").Integer == 1);
        Assert.True((await one.AcquireAsync(2)).IsAcquired);
        trouble.Release();
    }

    [Fact]
    public async Task In_the_process_an_attempt_decides_and_over_a_connection_it_does_not_wait()
    {
        using RateLimiter here = Create(overSocket: false).FixedWindow("a", 2, TimeSpan.FromSeconds(1)),
            there = Create(overSocket: true).FixedWindow("a", 2, TimeSpan.FromSeconds(1));
        Assert.True(here.AttemptAcquire().IsAcquired);
        Assert.False(there.AttemptAcquire().IsAcquired);
        Assert.True((await there.AcquireAsync()).IsAcquired);
        Assert.NotNull(RetryAfter(here.AttemptAcquire()));
        RateLimiterStatistics statistics = here.GetStatistics()!;
        Assert.Equal((1, 1, 0), (statistics.TotalSuccessfulLeases, statistics.TotalFailedLeases, statistics.CurrentAvailablePermits));
        Assert.Equal((1, 0), (there.GetStatistics()!.TotalSuccessfulLeases, there.GetStatistics()!.TotalFailedLeases));
        _clock.Advance(TimeSpan.FromSeconds(3));
        Assert.Equal(TimeSpan.FromSeconds(3), here.IdleDuration);
        here.AttemptAcquire(0);
        Assert.Equal(TimeSpan.Zero, here.IdleDuration);
    }

    // Some by scripts over a connection and some in the process, all at once: neither counts what the other has taken as free.
    [Theory]
    [MemberData(nameof(Counts))]
    public async Task No_more_permits_are_given_than_there_are(string kind)
    {
        const int Permits = 300;
        const int Takers = 4;
        GarnetLimits[] all = [.. Enumerable.Range(0, Takers).Select(i => Create(overSocket: i % 2 == 0))];
        int granted = 0;
        await Task.WhenAll(
            all.Select(limits =>
                Task.Run(async () =>
                {
                    using RateLimiter limiter =
                        kind == "window"
                            ? limits.FixedWindow("a", Permits, TimeSpan.FromHours(1))
                            : limits.TokenBucket("a", Permits, 1, TimeSpan.FromHours(1));
                    for (int i = 0; i < Permits; i++)
                    {
                        if ((await limiter.AcquireAsync(1 + (i % 2))).IsAcquired)
                            Interlocked.Add(ref granted, 1 + (i % 2));
                    }
                })
            )
        );
        Assert.Equal(Permits, granted);
    }

    public static TheoryData<string> Counts => ["window", "bucket"];

    [Theory]
    [InlineData("window", false)]
    [InlineData("window", true)]
    [InlineData("bucket", false)]
    [InlineData("bucket", true)]
    public async Task What_is_no_count_is_an_error(string kind, bool overSocket)
    {
        GarnetLimits limits = Create(overSocket);
        using RateLimiter limiter =
            kind == "window" ? limits.FixedWindow("a", 5, TimeSpan.FromSeconds(1)) : limits.TokenBucket("a", 5, 1, TimeSpan.FromSeconds(1));
        string key = kind == "window" ? "limit-fixed:a" : "limit-bucket:a";
        foreach (string hostile in (string[])["x", "1 ", " 1", new string('1', 500)])
        {
            _server.Server.InProcess.Set(key, hostile);
            await Assert.ThrowsAsync<GarnetCommandException>(async () => await limiter.AcquireAsync());
        }

        _server.Server.InProcess.Execute("DEL", key);
        _server.Server.InProcess.Execute("LPUSH", key, "x");
        await Assert.ThrowsAsync<GarnetCommandException>(async () => await limiter.AcquireAsync());
        _server.Server.InProcess.Execute("DEL", key);
        Assert.True((await limiter.AcquireAsync()).IsAcquired);
    }

    // As requests do that the browser breaks off: their permits come back at once and not when the lease is over.
    [Fact]
    public async Task Permits_of_a_caller_that_gave_up_come_back()
    {
        LinkTrouble trouble = new();
        using RateLimiter limiter = Create(overSocket: true, trouble).Concurrency("a", 3);
        using RateLimitLease held = await limiter.AcquireAsync();
        trouble.HoldReads();
        using CancellationTokenSource cancel = new();
        Task<RateLimitLease> asking = limiter.AcquireAsync(2, cancel.Token).AsTask();
        await HybridInstances.UntilAsync(() => Concurrent() == 3);
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => asking);
        trouble.Release();
        await HybridInstances.UntilAsync(() => Concurrent() == 1);
        // The same when the answer is lost with the connection.
        trouble.HoldReads();
        Task<RateLimitLease> lost = limiter.AcquireAsync(2).AsTask();
        await HybridInstances.UntilAsync(() => Concurrent() == 3);
        trouble.Cut();
        await Assert.ThrowsAsync<RespConnectionException>(() => lost);
        await HybridInstances.UntilAsync(() => Concurrent() == 1);

        long Concurrent() => _server.Server.InProcess.Execute("ZCARD", "limit-concurrency:a").Integer;
    }

    [Fact]
    public async Task Partitions_have_limits_of_their_own()
    {
        GarnetLimits limits = Create(overSocket: true);
        using var limiter = PartitionedRateLimiter.Create<string, string>(user =>
            RateLimitPartition.Get(user, name => limits.FixedWindow("user:" + name, 1, TimeSpan.FromSeconds(1)))
        );
        Assert.True((await limiter.AcquireAsync("ann")).IsAcquired);
        Assert.True((await limiter.AcquireAsync("bob")).IsAcquired);
        Assert.False((await limiter.AcquireAsync("ann")).IsAcquired);
    }

    [Fact]
    public async Task Wrong_arguments_are_refused_and_without_a_server_the_options_decide()
    {
        GarnetLimits limits = Create(overSocket: true);
        Assert.Throws<ArgumentOutOfRangeException>(() => limits.FixedWindow("a", 0, TimeSpan.FromSeconds(1)));
        Assert.Throws<ArgumentOutOfRangeException>(() => limits.FixedWindow("a", 1, TimeSpan.Zero));
        Assert.Throws<ArgumentOutOfRangeException>(() => limits.SlidingWindow("a", 1, TimeSpan.FromSeconds(1), 0));
        Assert.Throws<ArgumentOutOfRangeException>(() => limits.TokenBucket("a", 1, 0, TimeSpan.FromSeconds(1)));
        Assert.Throws<ArgumentException>(() => limits.Concurrency("", 1));
        RateLimiter limiter = limits.FixedWindow("a", 5, TimeSpan.FromSeconds(1));
        Assert.Throws<ArgumentOutOfRangeException>(() => limiter.AttemptAcquire(6));
        await limiter.DisposeAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await limiter.AcquireAsync());
        LinkTrouble trouble = new() { IsRefused = true };
        using RateLimiter strict = Create(overSocket: true, trouble).FixedWindow("a", 5, TimeSpan.FromSeconds(1)),
            generous = Create(overSocket: true, trouble, allows: true).FixedWindow("a", 5, TimeSpan.FromSeconds(1));
        await Assert.ThrowsAsync<RespConnectionException>(async () => await strict.AcquireAsync());
        Assert.True((await generous.AcquireAsync()).IsAcquired);
    }

    [Fact]
    public async Task Limits_are_a_service()
    {
        ServiceCollection services = [];
        services.AddGarnetLimits(options => (options.EndPoint, options.InstanceName) = (_server.EndPoint, "app:"));
        await using ServiceProvider provider = services.BuildServiceProvider();
        using RateLimiter limiter = provider.GetRequiredService<IGarnetLimits>().FixedWindow("a", 1, TimeSpan.FromMinutes(1));
        Assert.True((await limiter.AcquireAsync()).IsAcquired);
        Assert.Equal("1", _server.Server.InProcess.Execute("GET", "app:limit-fixed:a").Text);
    }

    private static TimeSpan? RetryAfter(RateLimitLease lease)
    {
        Assert.False(lease.IsAcquired);
        return lease.TryGetMetadata(MetadataName.RetryAfter, out TimeSpan after) ? after : null;
    }

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
}
