// Stored responses and their tags, in the process and over a socket. Virtual time; loopback and ports of the system's choice only.
using System.Buffers;
using System.IO.Pipelines;
using Garnet.Caching.Tests.Hybrid;
using Garnet.Testing;
using Xunit;

namespace Garnet.Caching.Tests;

public sealed class OutputCacheStoreTests : IDisposable
{
    private readonly ManualTimeProvider _clock = new();
    private readonly TestServer _server;
    private readonly List<IDisposable> _stores = [];

    public OutputCacheStoreTests() => _server = TestServer.Start(time: _clock);

    public static TheoryData<bool> Transports => [false, true];

    public void Dispose()
    {
        foreach (IDisposable store in _stores)
            store.Dispose();
        _server.Dispose();
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Responses_live_as_long_as_they_are_valid(bool overSocket)
    {
        GarnetOutputCacheStore store = Create(overSocket);
        Assert.Null(await store.GetAsync("k", CancellationToken.None));
        await store.SetAsync("k", "body"u8.ToArray(), null, TimeSpan.FromSeconds(5), CancellationToken.None);
        Assert.Equal("body"u8.ToArray(), await store.GetAsync("k", CancellationToken.None));
        Pipe pipe = new();
        Assert.True(await store.TryGetAsync("k", pipe.Writer, CancellationToken.None));
        await pipe.Writer.CompleteAsync();
        Assert.Equal("body"u8.ToArray(), (await pipe.Reader.ReadAsync()).Buffer.ToArray());
        Assert.False(await store.TryGetAsync("none", new Pipe().Writer, CancellationToken.None));
        _clock.Advance(TimeSpan.FromMilliseconds(5001));
        Assert.Null(await store.GetAsync("k", CancellationToken.None));
        await store.SetAsync("k", "body"u8.ToArray(), ["t"], TimeSpan.MaxValue, CancellationToken.None);
        Assert.NotNull(await store.GetAsync("k", CancellationToken.None));
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task A_tag_evicts_its_responses_and_no_others(bool overSocket)
    {
        GarnetOutputCacheStore store = Create(overSocket);
        var minute = TimeSpan.FromMinutes(1);
        await store.SetAsync("a", [1], ["x", "y"], minute, CancellationToken.None);
        await store.SetAsync("b", [2], ["y"], minute, CancellationToken.None);
        await store.SetAsync("c", [3], [], minute, CancellationToken.None);
        await EvictAsync(store, "x");
        Assert.Null(await store.GetAsync("a", CancellationToken.None));
        Assert.NotNull(await store.GetAsync("b", CancellationToken.None));
        await EvictAsync(store, "y");
        await EvictAsync(store, "none");
        Assert.Null(await store.GetAsync("b", CancellationToken.None));
        Assert.NotNull(await store.GetAsync("c", CancellationToken.None));
        await store.SetAsync("a", [4], ["x"], minute, CancellationToken.None);
        Assert.NotNull(await store.GetAsync("a", CancellationToken.None));
    }

    // A million responses or one: an eviction writes the tag's token and nothing else.
    [Theory]
    [MemberData(nameof(Transports))]
    public async Task An_eviction_costs_the_same_however_many_carry_the_tag(bool overSocket)
    {
        GarnetOutputCacheStore store = Create(overSocket);
        await HybridInstances.AdvanceAsync(_clock, HybridInstances.Lease, store.Coherence.Membership);
        long[] costs = new long[2];
        for (int round = 0; round < 2; round++)
        {
            for (int i = 0; i < 50 * round; i++)
                await store.SetAsync("k" + i, [1], ["t"], TimeSpan.FromMinutes(1), CancellationToken.None);
            long before = _server.Server.Resp.Threads.CommandsProcessed;
            await store.EvictByTagAsync("t", CancellationToken.None);
            costs[round] = _server.Server.Resp.Threads.CommandsProcessed - before;
            Assert.Null(await store.GetAsync("k1", CancellationToken.None));
        }

        Assert.InRange(costs[1], 1, 1 + costs[0]);
        Assert.Equal(50, _server.Server.InProcess.Execute("KEYS", "app:output:*").Children.Count);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task An_eviction_is_seen_by_other_instances(bool overSocket)
    {
        GarnetOutputCacheStore one = Create(overSocket),
            other = Create(!overSocket);
        await one.SetAsync("k", [1], ["t"], TimeSpan.FromMinutes(1), CancellationToken.None);
        Assert.NotNull(await other.GetAsync("k", CancellationToken.None));
        await EvictAsync(one, "t");
        Assert.Null(await other.GetAsync("k", CancellationToken.None));
        await other.SetAsync("k", [2], ["t"], TimeSpan.FromMinutes(1), CancellationToken.None);
        Assert.Equal([2], (await one.GetAsync("k", CancellationToken.None))!);
        // What was there before the responses had tokens, or is none.
        _server.Server.InProcess.Set("app:output:k", "x"u8);
        Assert.Null(await one.GetAsync("k", CancellationToken.None));
    }

    // Virtual time passes until the eviction has waited for instances that it does not know yet.
    private async Task EvictAsync(GarnetOutputCacheStore store, string tag)
    {
        Task eviction = store.EvictByTagAsync(tag, CancellationToken.None).AsTask();
        await HybridInstances.UntilAsync(() =>
        {
            _clock.Advance(TimeSpan.FromMilliseconds(10));
            return eviction.IsCompleted;
        });
        await eviction;
    }

    private GarnetOutputCacheStore Create(bool overSocket)
    {
        GarnetOutputCacheStore store = OutputCacheStores.Create(_server, overSocket, _clock);
        _stores.Add(store);
        return store;
    }
}
