// The near cache with a server: hits, invalidations, lost connections, and coherence under load. Loopback only.
using System.Globalization;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Client.Tests;

public sealed class RespNearCacheTests(ITestOutputHelper output) : IAsyncLifetime
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly TestServer _server = TestServer.Start();
    private RespMultiplexer _writer = null!;

    public Task InitializeAsync()
    {
        _writer = new RespMultiplexer(Connection());
        return Task.CompletedTask;
    }

    public async Task DisposeAsync()
    {
        await _writer.DisposeAsync();
        _server.Dispose();
    }

    [Fact]
    public async Task A_value_comes_from_memory_until_it_changes()
    {
        await using RespNearCache cache = new(Connection());
        await Write("k", "1");
        Assert.Equal("1", (await cache.GetAsync("k")).Text);
        Assert.Equal("1", (await cache.GetAsync("k")).Text);
        Assert.Equal((1, 1, 1), (cache.Statistics.Hits, cache.Statistics.Misses, cache.Statistics.Entries));
        await Write("k", "2");
        await cache.SynchronizeAsync();
        Assert.Equal((0, 1), (cache.Statistics.Entries, cache.Statistics.Invalidations));
        Assert.Equal("2", (await cache.GetAsync("k")).Text);
    }

    [Fact]
    public async Task Missing_keys_are_kept_and_errors_are_not()
    {
        await using RespNearCache cache = new(Connection());
        Assert.True((await cache.GetAsync("none")).IsNull);
        Assert.True((await cache.GetAsync("none")).IsNull);
        Assert.Equal(1, cache.Statistics.Hits);
        await _writer.CallAsync("RPUSH", "list", "x");
        Assert.True((await cache.TryGetAsync("list")).IsError);
        Assert.True((await cache.TryGetAsync("list")).IsError);
        Assert.Equal((1, 3), (cache.Statistics.Hits, cache.Statistics.Misses));
        GarnetCommandException thrown = await Assert.ThrowsAsync<GarnetCommandException>(async () => await cache.GetAsync("list"));
        Assert.Equal("WRONGTYPE", thrown.Code);
        await _writer.CallAsync("FLUSHALL");
        await cache.SynchronizeAsync();
        Assert.Equal(0, cache.Statistics.Entries);
    }

    [Fact]
    public async Task With_prefixes_only_their_keys_are_kept()
    {
        await using RespNearCache cache = new(Connection(), new RespNearCacheOptions { Prefixes = ["user:", "item:"] });
        await Write("user:1", "1");
        await Write("other", "1");
        for (int i = 0; i < 3; i++)
        {
            Assert.Equal("1", (await cache.GetAsync("user:1")).Text);
            Assert.Equal("1", (await cache.GetAsync("other")).Text);
        }

        Assert.Equal((2, 4), (cache.Statistics.Hits, cache.Statistics.Misses));
        await Write("user:1", "2");
        await cache.SynchronizeAsync();
        Assert.Equal("2", (await cache.GetAsync("user:1")).Text);
    }

    [Fact]
    public async Task A_lost_connection_empties_the_cache()
    {
        await using RespNearCache cache = new(Connection("near"));
        await Write("k", "1");
        await cache.GetAsync("k");
        await Kill("near");
        // The call that is in flight when the connection ends fails; the next one connects again.
        while (cache.Statistics.Entries > 0)
            await Task.WhenAny(cache.SynchronizeAsync());
        await Write("k", "2");
        Assert.Equal("2", (await cache.GetAsync("k")).Text);
        await Write("k", "3");
        await cache.SynchronizeAsync();
        Assert.Equal("3", (await cache.GetAsync("k")).Text);
    }

    [Fact]
    public async Task One_request_serves_all_who_ask_at_once()
    {
        await using RespNearCache cache = new(Connection());
        await Write("k", "1");
        RespValue[] values = await Task.WhenAll(Enumerable.Range(0, 50).Select(_ => cache.GetAsync("k").AsTask()));
        Assert.All(values, static value => Assert.Equal("1", value.Text));
        RespValue stats = await _writer.CallAsync("INFO", "commandstats");
        Assert.Contains("cmdstat_get:calls=1,", stats.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Refused_tracking_is_reported()
    {
        await using RespNearCache cache = new(Connection(), new RespNearCacheOptions { Prefixes = ["a", "ab"] });
        RespConnectionException refused = await Assert.ThrowsAsync<RespConnectionException>(async () => await cache.GetAsync("a"));
        Assert.Contains("overlaps", refused.Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => new RespNearCache(Connection(), new RespNearCacheOptions { MaxEntries = 0 }));
    }

    // After a cache has applied what was announced so far, it never returns less than what was written before.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Caches_never_return_a_value_older_than_an_invalidation(bool broadcast)
    {
        const int caches = 16,
            keys = 40;
        int operations = Environment.GetEnvironmentVariable("GARNET_FUZZ_ROUNDS") is { Length: > 0 } ? 62_500 : 1_200;
        int seed = TestSeed.ChooseAnew(output);
        long[] acknowledged = new long[keys];
        for (int key = 0; key < keys; key++)
            await Write(Name(key), "0");
        Task[] all =
        [
            .. Enumerable
                .Range(0, caches)
                .Select(id => Task.Run(() => RunCacheAsync(id, new Random(seed + id), operations, broadcast, acknowledged))),
        ];
        await Task.WhenAll(all).WaitAsync(Patience * 10);
    }

    private async Task RunCacheAsync(int id, Random random, int operations, bool broadcast, long[] acknowledged)
    {
        string name = string.Create(CultureInfo.InvariantCulture, $"near-{id}");
        RespNearCacheOptions options = new() { MaxEntries = random.Next(2) == 0 ? 10 : 1000, Prefixes = broadcast ? ["k:"] : [] };
        await using RespNearCache cache = new(Connection(name), options);
        for (int i = 0; i < operations; i++)
        {
            int key = random.Next(acknowledged.Length);
            try
            {
                switch (random.Next(100))
                {
                    case < 10:
                        await IncrementAsync(key, acknowledged);
                        break;
                    case < 20:
                        long written = Volatile.Read(ref acknowledged[key]);
                        await cache.SynchronizeAsync();
                        Assert.InRange((await cache.GetAsync(Name(key))).AsInt64(), written, long.MaxValue);
                        break;
                    case 20 when random.Next(4) == 0:
                        await Kill(string.Create(CultureInfo.InvariantCulture, $"near-{random.Next(16)}"));
                        break;
                    case < 25:
                        long before = Volatile.Read(ref acknowledged[key]);
                        cache.Invalidate(Name(key));
                        Assert.InRange((await cache.GetAsync(Name(key))).AsInt64(), before, long.MaxValue);
                        break;
                    default:
                        Assert.InRange((await cache.GetAsync(Name(key))).AsInt64(), 0, long.MaxValue);
                        break;
                }
            }
            catch (RespConnectionException)
            {
                // Its connection was killed by another one's turn.
            }
        }
    }

    private async Task IncrementAsync(int key, long[] acknowledged)
    {
        long value = (await _writer.CallAsync("INCR", Name(key))).AsInt64();
        long seen;
        while ((seen = Volatile.Read(ref acknowledged[key])) < value)
            Interlocked.CompareExchange(ref acknowledged[key], value, seen);
    }

    private static string Name(int key) => string.Create(CultureInfo.InvariantCulture, $"k:{key}");

    private async Task Write(string key, string value) => Assert.Equal("OK", (await _writer.CallAsync("SET", key, value)).Text);

    private async Task Kill(string name)
    {
        foreach (string line in (await _writer.CallAsync("CLIENT", "LIST")).Text.Split('\n'))
        {
            if (line.Contains($" name={name} ", StringComparison.Ordinal))
                await _writer.CallAsync("CLIENT", "KILL", "ID", line[3..line.IndexOf(' ', StringComparison.Ordinal)]);
        }
    }

    private RespMultiplexerOptions Connection(string? name = null) =>
        new()
        {
            EndPoint = _server.EndPoint,
            ClientName = name,
            RetryDelay = TimeSpan.Zero,
            // Longer than a busy machine stands still.
            ConnectTimeout = TimeSpan.FromMinutes(1),
            ReplyTimeout = TimeSpan.FromMinutes(1),
        };
}
