// Stored responses and their tags, in the process and over a socket. Virtual time; loopback and ports of the system's choice only.
using System.Buffers;
using System.IO.Pipelines;
using Garnet.Caching.Backends;
using Garnet.Client;
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
        await store.EvictByTagAsync("x", CancellationToken.None);
        Assert.Null(await store.GetAsync("a", CancellationToken.None));
        Assert.NotNull(await store.GetAsync("b", CancellationToken.None));
        await store.EvictByTagAsync("y", CancellationToken.None);
        await store.EvictByTagAsync("none", CancellationToken.None);
        Assert.Null(await store.GetAsync("b", CancellationToken.None));
        Assert.NotNull(await store.GetAsync("c", CancellationToken.None));
        await store.SetAsync("a", [4], ["x"], minute, CancellationToken.None);
        Assert.NotNull(await store.GetAsync("a", CancellationToken.None));
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task A_tag_drops_expired_responses_and_is_removed_with_its_last_one(bool overSocket)
    {
        GarnetOutputCacheStore store = Create(overSocket);
        for (int i = 0; i < 10; i++)
            await store.SetAsync("short" + i, [1], ["t"], TimeSpan.FromSeconds(1), CancellationToken.None);

        await store.SetAsync("long", [1], ["t"], TimeSpan.FromSeconds(10), CancellationToken.None);
        _clock.Advance(TimeSpan.FromSeconds(2));
        await store.SetAsync("new", [1], ["t"], TimeSpan.FromSeconds(1), CancellationToken.None);
        Assert.Equal(2, _server.Server.InProcess.Execute("ZCARD", "app:output-tag:t").Integer);
        _clock.Advance(TimeSpan.FromMilliseconds(8001));
        Assert.Equal(0, _server.Server.InProcess.Execute("EXISTS", "app:output-tag:t").Integer);
    }

    private GarnetOutputCacheStore Create(bool overSocket)
    {
        ICacheBackend backend = overSocket
            ? new RespBackend(new RespMultiplexerOptions { EndPoint = _server.EndPoint, ReplyTimeout = TimeSpan.FromMinutes(1) })
            : new InProcessBackend(_server.Server.InProcess);
        GarnetOutputCacheStore store = new(backend, "app:", _clock);
        _stores.Add(store);
        return store;
    }
}
