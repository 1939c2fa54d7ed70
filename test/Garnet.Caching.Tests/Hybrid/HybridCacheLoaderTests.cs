// Who calls a loader, and what the others get. Virtual time.
using Garnet.Testing;
using Microsoft.Extensions.Caching.Hybrid;
using Xunit;

namespace Garnet.Caching.Tests.Hybrid;

public sealed class HybridCacheLoaderTests : IAsyncLifetime
{
    private readonly ManualTimeProvider _clock = new();
    private readonly TestServer _server;
    private readonly HybridInstances _instances;
    private int _loads;

    public HybridCacheLoaderTests()
    {
        _server = TestServer.Start(time: _clock);
        _instances = new HybridInstances(_clock, () => _server.EndPoint, _server.Server.InProcess);
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public async Task DisposeAsync()
    {
        await _instances.DisposeAsync();
        _server.Dispose();
    }

    [Fact]
    public async Task A_thousand_callers_on_eight_instances_cost_one_call()
    {
        GarnetHybridCache[] all = await StartAsync(8);
        TaskCompletionSource gate = new();
        Task<string>[] callers =
        [
            .. Enumerable
                .Range(0, 1000)
                .Select(i =>
                    all[i % 8]
                        .GetOrCreateAsync(
                            "k",
                            async _ =>
                            {
                                Interlocked.Increment(ref _loads);
                                await gate.Task;
                                return "loaded";
                            }
                        )
                        .AsTask()
                ),
        ];
        await HybridInstances.UntilAsync(() => _server.Server.InProcess.Execute("SCARD", "h:wait:k").Integer == 7);
        gate.SetResult();
        Assert.All(await Task.WhenAll(callers), static value => Assert.Equal("loaded", value));
        Assert.Equal(1, _loads);
        Assert.Equal(0, _server.Server.InProcess.Execute("EXISTS", "h:wait:k", "h:load:k").Integer);
    }

    [Fact]
    public async Task A_loader_that_throws_lets_the_next_one_in()
    {
        GarnetHybridCache[] all = await StartAsync(2);
        TaskCompletionSource gate = new();
        Task<string>[] failing = [.. Enumerable.Range(0, 3).Select(_ => all[0].GetOrCreateAsync<string>("k", FailAsync).AsTask())];
        await HybridInstances.UntilAsync(() => _loads == 1);
        Task<string> next = all[1].GetOrCreateAsync("k", Load).AsTask();
        await HybridInstances.UntilAsync(() => _server.Server.InProcess.Execute("SCARD", "h:wait:k").Integer == 1);
        gate.SetResult();
        foreach (Task<string> failed in failing)
            await Assert.ThrowsAsync<TimeoutException>(() => failed);
        Assert.Equal("v2", await next);
        Assert.Equal("v2", await all[0].GetOrCreateAsync("k", Load));

        // A timeout of the application's own is not taken for one of the server's.
        async ValueTask<string> FailAsync(CancellationToken cancellationToken)
        {
            Interlocked.Increment(ref _loads);
            await gate.Task;
            throw new TimeoutException("The database did not answer.");
        }
    }

    [Fact]
    public async Task A_load_is_cancelled_when_its_last_caller_gives_up()
    {
        GarnetHybridCache[] all = await StartAsync(2);
        using CancellationTokenSource first = new(),
            second = new();
        Task<string> one = all[0].GetOrCreateAsync("k", ForeverAsync, cancellationToken: first.Token).AsTask();
        await HybridInstances.UntilAsync(() => _loads == 1);
        Task<string> two = all[0].GetOrCreateAsync("k", ForeverAsync, cancellationToken: second.Token).AsTask();
        Task<string> next = all[1].GetOrCreateAsync("k", Load).AsTask();
        await HybridInstances.UntilAsync(() => _server.Server.InProcess.Execute("SCARD", "h:wait:k").Integer == 1);
        await first.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => one);
        Assert.False(two.IsCompleted || next.IsCompleted);
        await second.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => two);
        Assert.Equal("v2", await next);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
            await all[0].GetOrCreateAsync("k", Load, cancellationToken: new CancellationToken(canceled: true))
        );

        async ValueTask<string> ForeverAsync(CancellationToken cancellationToken)
        {
            Interlocked.Increment(ref _loads);
            await Task.Delay(Timeout.Infinite, cancellationToken);
            return "never";
        }
    }

    [Fact]
    public async Task A_loader_whose_instance_died_is_followed_after_its_lease_and_does_not_overwrite_the_newer()
    {
        LinkTrouble trouble = new();
        GarnetHybridCache dead = _instances.Create(trouble: trouble);
        GarnetHybridCache[] others = await StartAsync(1, dead);
        TaskCompletionSource gate = new();
        Task<string> old = dead.GetOrCreateAsync(
                "k",
                async _ =>
                {
                    Interlocked.Increment(ref _loads);
                    await gate.Task;
                    return "old";
                }
            )
            .AsTask();
        await HybridInstances.UntilAsync(() => _loads == 1);
        Task<string> next = others[0].GetOrCreateAsync("k", Load).AsTask();
        await HybridInstances.UntilAsync(() => _server.Server.InProcess.Execute("SCARD", "h:wait:k").Integer == 1);
        trouble.HoldWrites();
        await HybridInstances.UntilAsync(() =>
        {
            _clock.Advance(TimeSpan.FromMilliseconds(100));
            return next.IsCompleted;
        });
        Assert.Equal("v2", await next);
        gate.SetResult();
        trouble.Release();
        Assert.Equal("old", await old);
        await HybridInstances.AdvanceAsync(_clock, HybridInstances.Lease, [.. others, dead]);
        Assert.Equal("v2", await dead.GetOrCreateAsync("k", Load));
        Assert.Equal("v2", (await others[0].TryGetAsync<string>("k")).Value);
    }

    [Fact]
    public async Task A_long_load_keeps_its_lease()
    {
        GarnetHybridCache[] all = await StartAsync(2);
        TaskCompletionSource gate = new();
        Task<string> loading = all[0]
            .GetOrCreateAsync(
                "k",
                async _ =>
                {
                    Interlocked.Increment(ref _loads);
                    await gate.Task;
                    return "loaded";
                }
            )
            .AsTask();
        await HybridInstances.UntilAsync(() => _loads == 1);
        Task<string> waiting = all[1].GetOrCreateAsync("k", Load).AsTask();
        for (int i = 0; i < 20; i++)
        {
            await HybridInstances.UntilAsync(() => _server.Server.InProcess.Execute("PTTL", "h:load:k").Integer > 6000);
            _clock.Advance(TimeSpan.FromSeconds(3));
        }

        Assert.False(waiting.IsCompleted);
        gate.SetResult();
        Assert.Equal("loaded", await loading);
        Assert.Equal("loaded", await waiting);
        Assert.Equal(1, _loads);
    }

    [Fact]
    public async Task While_one_loads_the_others_get_the_expired_value_if_they_said_so()
    {
        GarnetHybridCache[] all = await StartAsync(2);
        GarnetCacheEntryOptions stale = new() { Expiration = TimeSpan.FromSeconds(5), StaleWhileLoading = TimeSpan.FromSeconds(60) };
        foreach (GarnetHybridCache cache in all)
            Assert.Equal("v1", await cache.GetOrCreateAsync("k", LoadNoted, stale));
        await HybridInstances.AdvanceAsync(_clock, TimeSpan.FromSeconds(6), all);
        TaskCompletionSource gate = new();
        Task<string> loading = all[0]
            .GetOrCreateAsync(
                "k",
                async (_, _) =>
                {
                    Interlocked.Increment(ref _loads);
                    await gate.Task;
                    return "new";
                },
                stale
            )
            .AsTask();
        await HybridInstances.UntilAsync(() => _loads == 2);
        Assert.Equal("v1", await all[0].GetOrCreateAsync("k", LoadNoted, stale));
        Assert.Equal("v1", await all[1].GetOrCreateAsync("k", LoadNoted, stale));
        Task<string> waits = all[1]
            .GetOrCreateAsync(
                "k",
                Load,
                new HybridCacheEntryOptions { Expiration = TimeSpan.FromSeconds(5), Flags = HybridCacheEntryFlags.DisableLocalCacheWrite }
            )
            .AsTask();
        Assert.False((await all[1].TryGetAsync<string>("k")).Found);
        gate.SetResult();
        Assert.Equal("new", await loading);
        Assert.Equal("new", await waits);
        Assert.Equal("new", await all[1].GetOrCreateAsync("k", LoadNoted, stale));
        // Removed is removed, and not served as expired.
        await all[0].RemoveAsync("k");
        Assert.Equal("v3", await all[1].GetOrCreateAsync("k", LoadNoted, stale));
    }

    [Fact]
    public async Task Loads_of_different_types_do_not_mix()
    {
        GarnetHybridCache[] all = await StartAsync(1);
        TaskCompletionSource gate = new();
        Task<string> text = all[0]
            .GetOrCreateAsync(
                "k",
                async _ =>
                {
                    Interlocked.Increment(ref _loads);
                    await gate.Task;
                    return "5";
                }
            )
            .AsTask();
        await HybridInstances.UntilAsync(() => _loads == 1);
        Task<int> number = all[0].GetOrCreateAsync("k", static _ => ValueTask.FromResult(7)).AsTask();
        gate.SetResult();
        Assert.Equal("5", await text);
        Assert.Equal(5, await number);
    }

    private async Task<GarnetHybridCache[]> StartAsync(int count, params GarnetHybridCache[] more)
    {
        GarnetHybridCache[] all = [.. Enumerable.Range(0, count).Select(i => _instances.Create(overSocket: i % 2 == 0))];
        await HybridInstances.AdvanceAsync(_clock, HybridInstances.Lease, [.. all, .. more]);
        return all;
    }

    private ValueTask<string> Load(CancellationToken cancellationToken) => ValueTask.FromResult($"v{Interlocked.Increment(ref _loads)}");

    private ValueTask<string> LoadNoted(GarnetCacheEntryContext entry, CancellationToken cancellationToken) => Load(cancellationToken);
}
