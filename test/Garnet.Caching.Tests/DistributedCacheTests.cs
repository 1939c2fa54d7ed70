// What users of a distributed cache expect, of the one in the process and of the one over a socket alike. Virtual time; loopback and ports
// of the system's choice only.
using System.Buffers;
using System.Buffers.Binary;
using System.Text;
using Garnet.Caching.Backends;
using Garnet.Client;
using Garnet.Testing;
using Microsoft.Extensions.Caching.Distributed;
using Xunit;

namespace Garnet.Caching.Tests;

public sealed class DistributedCacheTests : IDisposable
{
    private readonly ManualTimeProvider _clock = new();
    private readonly TestServer _server;
    private readonly List<IDisposable> _caches = [];

    public DistributedCacheTests() => _server = TestServer.Start(time: _clock);

    public static TheoryData<bool> Transports => [false, true];

    public void Dispose()
    {
        foreach (IDisposable cache in _caches)
            cache.Dispose();
        _server.Dispose();
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task An_entry_that_was_set_can_be_read_and_removed(bool overSocket)
    {
        GarnetDistributedCache cache = Create(overSocket);
        byte[] value = [1, 2, 0, 255];
        cache.Set("k", value, new DistributedCacheEntryOptions());
        Assert.Equal(value, cache.Get("k"));
        Assert.Equal(value, await cache.GetAsync("k"));
        await cache.SetAsync("k", [], new DistributedCacheEntryOptions());
        Assert.Empty((await cache.GetAsync("k"))!);
        Assert.Equal(-1, TtlOf("k"));
        cache.Remove("k");
        Assert.Null(cache.Get("k"));
        await cache.SetAsync("k", value, new DistributedCacheEntryOptions());
        await cache.RemoveAsync("k");
        Assert.Null(await cache.GetAsync("k"));
        await cache.RemoveAsync("k");
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Buffers_are_read_and_written_without_arrays(bool overSocket)
    {
        GarnetDistributedCache cache = Create(overSocket);
        byte[] large = new byte[100_000];
        Random.Shared.NextBytes(large);
        Segment first = new(large.AsMemory(0, 40_000), null);
        Segment last = new(large.AsMemory(40_000), first);
        await cache.SetAsync("k", new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length), new DistributedCacheEntryOptions());
        ArrayBufferWriter<byte> writer = new();
        Assert.True(await cache.TryGetAsync("k", writer));
        Assert.Equal(large, writer.WrittenSpan);
        writer.Clear();
        cache.Set("k", new ReadOnlySequence<byte>("small"u8.ToArray()), new DistributedCacheEntryOptions());
        Assert.True(cache.TryGet("k", writer));
        Assert.Equal("small"u8, writer.WrittenSpan);
        Assert.False(cache.TryGet("none", writer));
        Assert.False(await cache.TryGetAsync("none", writer));
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Reading_and_refreshing_renew_a_sliding_expiry(bool overSocket)
    {
        GarnetDistributedCache cache = Create(overSocket);
        DistributedCacheEntryOptions sliding = new() { SlidingExpiration = TimeSpan.FromSeconds(10) };
        await cache.SetAsync("k", "v"u8.ToArray(), sliding);
        Func<Task>[] uses =
        [
            async () => Assert.NotNull(await cache.GetAsync("k")),
            () => Task.FromResult(cache.Get("k")),
            () => cache.RefreshAsync("k"),
            () => Task.Run(() => cache.Refresh("k")),
            async () => Assert.True(await cache.TryGetAsync("k", new ArrayBufferWriter<byte>())),
            () => Task.Run(() => Assert.True(cache.TryGet("k", new ArrayBufferWriter<byte>()))),
        ];
        foreach (Func<Task> use in uses)
        {
            _clock.Advance(TimeSpan.FromSeconds(9));
            Assert.Equal(1000, TtlOf("k"));
            await use();
            Assert.Equal(10_000, TtlOf("k"));
        }

        _clock.Advance(TimeSpan.FromMilliseconds(10_001));
        Assert.Null(await cache.GetAsync("k"));
        await cache.RefreshAsync("k");
        Assert.Equal(-2, TtlOf("k"));
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task A_sliding_expiry_ends_at_the_absolute_one(bool overSocket)
    {
        GarnetDistributedCache cache = Create(overSocket);
        await cache.SetAsync(
            "k",
            "v"u8.ToArray(),
            new DistributedCacheEntryOptions
            {
                SlidingExpiration = TimeSpan.FromSeconds(10),
                AbsoluteExpirationRelativeToNow = TimeSpan.FromSeconds(25),
            }
        );
        await cache.SetAsync(
            "short",
            "v"u8.ToArray(),
            new DistributedCacheEntryOptions
            {
                SlidingExpiration = TimeSpan.FromSeconds(100),
                AbsoluteExpiration = _clock.GetUtcNow().AddSeconds(5),
            }
        );
        Assert.Equal(5000, TtlOf("short"));
        _clock.Advance(TimeSpan.FromSeconds(9));
        Assert.NotNull(await cache.GetAsync("k"));
        Assert.Null(await cache.GetAsync("short"));
        _clock.Advance(TimeSpan.FromSeconds(9));
        Assert.NotNull(await cache.GetAsync("k"));
        Assert.Equal(7000, TtlOf("k"));
        _clock.Advance(TimeSpan.FromMilliseconds(7001));
        Assert.Null(await cache.GetAsync("k"));
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task An_absolute_expiry_is_not_moved_by_reading(bool overSocket)
    {
        GarnetDistributedCache cache = Create(overSocket);
        await cache.SetAsync(
            "k",
            "v"u8.ToArray(),
            new DistributedCacheEntryOptions { AbsoluteExpiration = _clock.GetUtcNow().AddSeconds(10) }
        );
        _clock.Advance(TimeSpan.FromSeconds(6));
        Assert.NotNull(await cache.GetAsync("k"));
        await cache.RefreshAsync("k");
        Assert.Equal(4000, TtlOf("k"));
        // A time from now outweighs a moment.
        await cache.SetAsync(
            "k",
            "v"u8.ToArray(),
            new DistributedCacheEntryOptions
            {
                AbsoluteExpiration = _clock.GetUtcNow().AddSeconds(10),
                AbsoluteExpirationRelativeToNow = TimeSpan.FromSeconds(3),
            }
        );
        Assert.Equal(3000, TtlOf("k"));
        await cache.SetAsync(
            "k",
            "v"u8.ToArray(),
            new DistributedCacheEntryOptions { AbsoluteExpirationRelativeToNow = TimeSpan.MaxValue }
        );
        Assert.NotNull(await cache.GetAsync("k"));
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Wrong_arguments_are_refused(bool overSocket)
    {
        GarnetDistributedCache cache = Create(overSocket);
        DistributedCacheEntryOptions none = new();
        Assert.Throws<ArgumentNullException>(() => cache.Get(null!));
        await Assert.ThrowsAsync<ArgumentNullException>(() => cache.GetAsync(null!));
        Assert.Throws<ArgumentNullException>(() => cache.Set(null!, [], none));
        Assert.Throws<ArgumentNullException>(() => cache.Set("k", null!, none));
        Assert.Throws<ArgumentNullException>(() => cache.Set("k", [], null!));
        Assert.Throws<ArgumentNullException>(() => cache.Refresh(null!));
        Assert.Throws<ArgumentNullException>(() => cache.Remove(null!));
        ArgumentOutOfRangeException past = await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() =>
            cache.SetAsync("k", [], new DistributedCacheEntryOptions { AbsoluteExpiration = _clock.GetUtcNow() })
        );
        Assert.StartsWith("The absolute expiration value must be in the future.", past.Message, StringComparison.Ordinal);
        Assert.Equal("AbsoluteExpiration", past.ParamName);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cache.GetAsync("k", new CancellationToken(canceled: true)));
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Keys_are_kept_under_the_instance_name_and_in_the_database(bool overSocket)
    {
        GarnetDistributedCache cache = Create(overSocket, "app:", database: 2);
        await cache.SetAsync("ключ", "v"u8.ToArray(), new DistributedCacheEntryOptions());
        Assert.Equal("v", _server.Server.InProcess.WithDatabase(2).Execute("GET", "app:ключ").Text);
        Assert.True(_server.Server.InProcess.Execute("GET", "app:ключ").IsNull);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Each_use_is_one_command_on_one_key(bool overSocket)
    {
        GarnetDistributedCache cache = Create(overSocket);
        DistributedCacheEntryOptions both = new()
        {
            SlidingExpiration = TimeSpan.FromMinutes(1),
            AbsoluteExpirationRelativeToNow = TimeSpan.FromMinutes(10),
        };
        await cache.GetAsync("connect");
        long before = _server.Server.Resp.Threads.CommandsProcessed;
        await cache.SetAsync("k", [1], both);
        Assert.Equal(before + 1, _server.Server.Resp.Threads.CommandsProcessed);
        _clock.Advance(TimeSpan.FromSeconds(30));
        await cache.GetAsync("k");
        await cache.RefreshAsync("k");
        await cache.TryGetAsync("k", new ArrayBufferWriter<byte>());
        Assert.Equal(before + 4, _server.Server.Resp.Threads.CommandsProcessed);
        Assert.Equal(60_000, TtlOf("k"));
        Assert.Equal(1, _server.Server.InProcess.Execute("DBSIZE").Integer);
        before = _server.Server.Resp.Threads.CommandsProcessed;
        await cache.RemoveAsync("k");
        Assert.Equal(before + 1, _server.Server.Resp.Threads.CommandsProcessed);
    }

    [Fact]
    public async Task Many_callers_share_one_connection()
    {
        GarnetDistributedCache cache = Create(overSocket: true);
        Task[] callers =
        [
            .. Enumerable
                .Range(0, 50)
                .Select(id =>
                    Task.Run(async () =>
                    {
                        for (int i = 0; i < 50; i++)
                        {
                            byte[] value = Encoding.UTF8.GetBytes($"{id}/{i}");
                            await cache.SetAsync(
                                $"k{id}",
                                value,
                                new DistributedCacheEntryOptions { SlidingExpiration = TimeSpan.FromMinutes(1) }
                            );
                            Assert.Equal(value, await cache.GetAsync($"k{id}"));
                        }
                    })
                ),
        ];
        await Task.WhenAll(callers);
        Assert.Single(_server.Server.Resp.Clients.All);
    }

    // What a cache of two levels asks of its second one, as HybridCache does: buffers, a time from now, moments of tags.
    [Theory]
    [MemberData(nameof(Transports))]
    public async Task A_value_outlives_the_first_level_and_ends_in_time_or_on_request(bool overSocket)
    {
        GarnetDistributedCache first = Create(overSocket, "two:"),
            afterwards = Create(overSocket, "two:");
        byte[] payload = new byte[50_000];
        Random.Shared.NextBytes(payload);
        foreach (string key in (string[])["expires", "removed"])
        {
            await first.SetAsync(
                key,
                new ReadOnlySequence<byte>(payload),
                new DistributedCacheEntryOptions { AbsoluteExpirationRelativeToNow = TimeSpan.FromMinutes(5) }
            );
        }

        // Another process, or the same one whose memory was dropped.
        ArrayBufferWriter<byte> writer = new();
        Assert.True(await afterwards.TryGetAsync("expires", writer));
        Assert.Equal(payload, writer.WrittenSpan.ToArray());
        await first.RemoveAsync("removed");
        Assert.False(await afterwards.TryGetAsync("removed", writer));
        // Reading does not renew what has no sliding time.
        _clock.Advance(TimeSpan.FromMinutes(4));
        Assert.True(await afterwards.TryGetAsync("expires", new ArrayBufferWriter<byte>()));
        // A key is there up to the millisecond of its expiry.
        _clock.Advance(TimeSpan.FromMinutes(1) + TimeSpan.FromMilliseconds(1));
        Assert.False(await afterwards.TryGetAsync("expires", writer));
        Assert.Equal(payload.Length, writer.WrittenCount);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task The_time_at_which_a_tag_was_invalidated_is_stored_like_any_value(bool overSocket)
    {
        GarnetDistributedCache one = Create(overSocket, "two:"),
            other = Create(overSocket, "two:");
        byte[] moment = new byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(moment, _clock.GetUtcNow().UtcTicks);
        await one.SetAsync(
            "__tag__prices",
            new ReadOnlySequence<byte>(moment),
            new DistributedCacheEntryOptions { AbsoluteExpirationRelativeToNow = TimeSpan.FromDays(365) }
        );
        ArrayBufferWriter<byte> writer = new();
        Assert.True(await other.TryGetAsync("__tag__prices", writer));
        Assert.Equal(moment, writer.WrittenSpan.ToArray());
        Assert.False(await other.TryGetAsync("__tag__others", writer));
    }

    private long TtlOf(string key) => _server.Server.InProcess.Execute("PTTL", key).Integer;

    private GarnetDistributedCache Create(bool overSocket, string instanceName = "", int database = 0)
    {
        ICacheBackend backend = overSocket
            ? new RespBackend(
                new RespMultiplexerOptions
                {
                    EndPoint = _server.EndPoint,
                    Database = database,
                    ReplyTimeout = TimeSpan.FromMinutes(1),
                }
            )
            : new InProcessBackend(_server.Server.InProcess.WithDatabase(database));
        GarnetDistributedCache cache = new(backend, instanceName, _clock);
        _caches.Add(cache);
        return cache;
    }

    private sealed class Segment : ReadOnlySequenceSegment<byte>
    {
        public Segment(ReadOnlyMemory<byte> memory, Segment? before)
        {
            Memory = memory;
            if (before is null)
                return;
            RunningIndex = before.RunningIndex + before.Memory.Length;
            before.Next = this;
        }
    }
}
