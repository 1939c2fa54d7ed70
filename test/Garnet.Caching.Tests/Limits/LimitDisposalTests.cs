// Limiters that are disposed of while their permits are out, asked for and waited for. Virtual time.
using System.Threading.RateLimiting;
using Garnet.Caching.Limits;
using Garnet.Caching.Links;
using Garnet.Caching.Tests.Hybrid;
using Garnet.Client;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Caching.Tests.Limits;

public sealed class LimitDisposalTests(ITestOutputHelper output) : IAsyncLifetime
{
    private static readonly TimeSpan Lease = TimeSpan.FromSeconds(30);

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
    public async Task Permits_that_are_out_stay_out_until_they_are_given_back(bool overSocket)
    {
        using RateLimiter other = Create(!overSocket).Concurrency("a", 1);
        RateLimiter limiter = Create(overSocket).Concurrency("a", 1);
        RateLimitLease held = await limiter.AcquireAsync();
        Assert.True(held.IsAcquired);
        await limiter.DisposeAsync();
        await StaysOutAsync(other);
        held.Dispose();
        await HybridInstances.UntilAsync(() => Concurrent("a") == 0);
        Assert.True((await other.AcquireAsync()).IsAcquired);
    }

    // The request has been sent, and its answer comes after the disposal.
    [Fact]
    public async Task Permits_that_are_granted_after_the_disposal_stay_out_too()
    {
        LinkTrouble trouble = new();
        using RateLimiter other = Create(overSocket: false).Concurrency("a", 1);
        RateLimiter limiter = Create(overSocket: true, trouble).Concurrency("a", 1);
        (await limiter.AcquireAsync()).Dispose();
        await HybridInstances.UntilAsync(() => Concurrent("a") == 0);
        trouble.HoldReads();
        Task<RateLimitLease> asking = limiter.AcquireAsync().AsTask();
        await HybridInstances.UntilAsync(() => Concurrent("a") == 1);
        await limiter.DisposeAsync();
        trouble.Release();
        RateLimitLease held = await asking;
        Assert.True(held.IsAcquired);
        await StaysOutAsync(other);
        held.Dispose();
        await HybridInstances.UntilAsync(() => Concurrent("a") == 0);
    }

    // Eight callers of a limiter of each kind, which is disposed of among their calls: each call ends, and all permits come back.
    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Calls_end_when_their_limiter_is_disposed_of(bool overSocket)
    {
        Random random = new(TestSeed.ChooseAnew(output));
        int rounds = FaultScale.Count(40, 2000);
        GarnetLimits limits = Create(overSocket);
        for (int round = 0; round < rounds; round++)
        {
            string name = $"round {round}";
            RateLimiter limiter = Limiter(limits, name, kind: round % 4, queueLimit: random.Next(3) * 4);
            int count = 0,
                enough = random.Next(1, 40);
            TaskCompletionSource reached = new(TaskCreationOptions.RunContinuationsAsynchronously);
            Task[] callers =
            [
                .. Enumerable
                    .Range(0, 8)
                    .Select(id =>
                        CallAsync(
                            limiter,
                            permits: 1 + (id % 2),
                            () =>
                            {
                                if (Interlocked.Increment(ref count) == enough)
                                    reached.SetResult();
                            }
                        )
                    ),
            ];
            await HybridInstances.UntilAsync(() =>
            {
                // Windows pass, and buckets fill.
                _clock.Advance(TimeSpan.FromMilliseconds(100));
                return reached.Task.IsCompleted || Array.TrueForAll(callers, static caller => caller.IsCompleted);
            });
            if (random.Next(2) == 0)
                await limiter.DisposeAsync();
            else
                limiter.Dispose();
            await Task.WhenAll(callers);
            await HybridInstances.UntilAsync(() => Concurrent(name) == 0);
            Assert.Equal(0, limiter.GetStatistics()!.CurrentQueuedCount);
        }
    }

    // There is no link over which they could ask again.
    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Requests_that_wait_end_when_the_limits_are_disposed_of(bool overSocket)
    {
        GarnetLimits limits = Create(overSocket);
        RateLimiter limiter = limits.Concurrency("a", 1, queueLimit: 2);
        RateLimitLease held = await limiter.AcquireAsync();
        Task<RateLimitLease> waiting = limiter.AcquireAsync().AsTask();
        await HybridInstances.UntilAsync(() => limiter.GetStatistics()!.CurrentQueuedCount == 1);
        await limits.DisposeAsync();
        Assert.True(await Record.ExceptionAsync(() => waiting) is ObjectDisposedException or RespConnectionException);
        await limiter.DisposeAsync();
        held.Dispose();
    }

    private static RateLimiter Limiter(GarnetLimits limits, string name, int kind, int queueLimit) =>
        kind switch
        {
            0 => limits.FixedWindow(name, 2, TimeSpan.FromSeconds(1), queueLimit),
            1 => limits.SlidingWindow(name, 2, TimeSpan.FromSeconds(1), 2, queueLimit),
            2 => limits.TokenBucket(name, 2, 1, TimeSpan.FromMilliseconds(300), queueLimit),
            _ => limits.Concurrency(name, 2, queueLimit),
        };

    // Until its limiter is disposed of. Some do not wait for their permits.
    private static Task CallAsync(RateLimiter limiter, int permits, Action called) =>
        Task.Run(async () =>
        {
            try
            {
                while (true)
                {
                    using (RateLimitLease lease = permits == 1 ? limiter.AttemptAcquire() : await limiter.AcquireAsync(permits))
                        await Task.Yield();
                    using (await limiter.AcquireAsync())
                        called();
                }
            }
            catch (ObjectDisposedException)
            {
                // As it should be.
            }
        });

    // For more than a lease, of which each third has its renewal: the key lives twice as long.
    private async Task StaysOutAsync(RateLimiter other)
    {
        for (int i = 0; i < 5; i++)
        {
            _clock.Advance(Lease / 3);
            await HybridInstances.UntilAsync(() => LeftMs() is < 0 or 60_000);
            Assert.False((await other.AcquireAsync()).IsAcquired);
        }
    }

    private long LeftMs() => _server.Server.InProcess.Execute("PTTL", "limit-concurrency:a").Integer;

    private long Concurrent(string name) => _server.Server.InProcess.Execute("ZCARD", "limit-concurrency:" + name).Integer;

    private GarnetLimits Create(bool overSocket, LinkTrouble? trouble = null)
    {
        RespMultiplexerOptions connection = new()
        {
            EndPoint = _server.EndPoint,
            ReplyTimeout = TimeSpan.FromMinutes(10),
            RetryDelay = TimeSpan.FromMilliseconds(1),
            StreamFilter = trouble is null ? null : trouble.WrapAsync,
        };
        GarnetLimits limits = new(
            channels => overSocket ? new RespLink(connection, channels) : new InProcessLink(_server.Server.InProcess, channels),
            new GarnetLimitOptions(),
            _clock
        );
        _all.Add(limits);
        return limits;
    }
}
