// What a cache of two levels asks of its second one, as HybridCache does: buffers, a time from now, moments of tags. In the process and over a socket; virtual time.
using System.Buffers;
using System.Buffers.Binary;
using Garnet.Caching.Backends;
using Garnet.Client;
using Garnet.Testing;
using Microsoft.Extensions.Caching.Distributed;
using Xunit;

namespace Garnet.Caching.Tests;

public sealed class SecondLevelTests : IDisposable
{
    private readonly ManualTimeProvider clock = new();
    private readonly TestServer server;

    public SecondLevelTests() => server = TestServer.Start(time: clock);

    public static TheoryData<bool> Places => [false, true];

    public void Dispose() => server.Dispose();

    [Theory]
    [MemberData(nameof(Places))]
    public async Task A_value_outlives_the_first_level_and_ends_in_time_or_on_request(bool overSocket)
    {
        using GarnetDistributedCache first = Create(overSocket), afterwards = Create(overSocket);
        byte[] payload = new byte[50_000];
        Random.Shared.NextBytes(payload);
        foreach (string key in (string[])["expires", "removed"])
            await first.SetAsync(key, new ReadOnlySequence<byte>(payload), new DistributedCacheEntryOptions { AbsoluteExpirationRelativeToNow = TimeSpan.FromMinutes(5) });

        // Another process, or the same one whose memory was dropped.
        ArrayBufferWriter<byte> writer = new();
        Assert.True(await afterwards.TryGetAsync("expires", writer));
        Assert.Equal(payload, writer.WrittenSpan.ToArray());
        await first.RemoveAsync("removed");
        Assert.False(await afterwards.TryGetAsync("removed", writer));
        // Reading does not renew what has no sliding time.
        clock.Advance(TimeSpan.FromMinutes(4));
        Assert.True(await afterwards.TryGetAsync("expires", new ArrayBufferWriter<byte>()));
        // A key is there up to the millisecond of its expiry.
        clock.Advance(TimeSpan.FromMinutes(1) + TimeSpan.FromMilliseconds(1));
        Assert.False(await afterwards.TryGetAsync("expires", writer));
        Assert.Equal(payload.Length, writer.WrittenCount);
    }

    [Theory]
    [MemberData(nameof(Places))]
    public async Task The_moment_at_which_a_tag_was_made_invalid_is_kept_like_any_value(bool overSocket)
    {
        using GarnetDistributedCache one = Create(overSocket), other = Create(overSocket);
        byte[] moment = new byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(moment, clock.GetUtcNow().UtcTicks);
        await one.SetAsync("__tag__prices", new ReadOnlySequence<byte>(moment), new DistributedCacheEntryOptions { AbsoluteExpirationRelativeToNow = TimeSpan.FromDays(365) });
        ArrayBufferWriter<byte> writer = new();
        Assert.True(await other.TryGetAsync("__tag__prices", writer));
        Assert.Equal(moment, writer.WrittenSpan.ToArray());
        Assert.False(await other.TryGetAsync("__tag__others", writer));
    }

    private GarnetDistributedCache Create(bool overSocket) => new(
        overSocket ? new RespBackend(new RespMultiplexerOptions { EndPoint = server.EndPoint }) : new InProcessBackend(server.Server.InProcess), "two:", clock);
}
