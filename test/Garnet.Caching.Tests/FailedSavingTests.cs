// Caches on a server that refuses writes, as it could not save. Virtual time; loopback and ports of the system's choice only.
using System.Buffers;
using System.IO.Pipelines;
using Garnet.Caching.Backends;
using Garnet.Client;
using Garnet.Testing;
using Microsoft.Extensions.Caching.Distributed;
using Xunit;

namespace Garnet.Caching.Tests;

public sealed class FailedSavingTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-failed-saving-").FullName;
    private readonly ManualTimeProvider _clock = new();
    private readonly TestServer _server;

    public FailedSavingTests() =>
        _server = TestServer.Start(
            options =>
            {
                options.Dir = _folder;
                options.Save = [new(3600, 1)];
            },
            _clock
        );

    public void Dispose()
    {
        // The server saves at its end, and now it can again.
        Directory.CreateDirectory(_folder);
        _server.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Cached_entries_can_be_read_and_renewed(bool overSocket)
    {
        using GarnetDistributedCache cache = new(Backend(overSocket), "app:", _clock);
        using GarnetOutputCacheStore responses = OutputCacheStores.Create(_server, overSocket, _clock);
        await cache.SetAsync("k", [1], new DistributedCacheEntryOptions { SlidingExpiration = TimeSpan.FromSeconds(10) });
        await responses.SetAsync("page", [2], [], TimeSpan.FromMinutes(1), CancellationToken.None);
        FailToSave();
        await Assert.ThrowsAnyAsync<Exception>(() => cache.SetAsync("other", [1], new DistributedCacheEntryOptions()));
        for (int i = 0; i < 3; i++)
        {
            _clock.Advance(TimeSpan.FromSeconds(9));
            Assert.Equal([1], cache.Get("k")!);
        }

        _clock.Advance(TimeSpan.FromSeconds(9));
        Assert.True(await cache.TryGetAsync("k", new ArrayBufferWriter<byte>()));
        _clock.Advance(TimeSpan.FromSeconds(9));
        await cache.RefreshAsync("k");
        Assert.Equal(10_000, _server.Server.InProcess.Execute("PTTL", "app:k").Integer);
        Assert.Equal([2], (await responses.GetAsync("page", CancellationToken.None))!);
        Assert.True(await responses.TryGetAsync("page", new Pipe().Writer, CancellationToken.None));
    }

    private ICacheBackend Backend(bool overSocket) =>
        overSocket
            ? new RespBackend(new RespMultiplexerOptions { EndPoint = _server.EndPoint, ReplyTimeout = TimeSpan.FromMinutes(1) })
            : new InProcessBackend(_server.Server.InProcess);

    private void FailToSave()
    {
        Directory.Delete(_folder, recursive: true);
        using RespExchange client = _server.Connect();
        Assert.StartsWith("-ERR ", client.ExecuteText("SAVE"), StringComparison.Ordinal);
        Assert.StartsWith("-MISCONF ", client.ExecuteText("SET", "k", "v"), StringComparison.Ordinal);
    }
}
