// What callers of HybridCache expect, in the process and over a socket alike. Virtual time.
using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json.Serialization;
using Garnet.Caching.Hybrid;
using Garnet.Testing;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;
using Xunit;

namespace Garnet.Caching.Tests.Hybrid;

public sealed class HybridCacheBehaviourTests : IAsyncLifetime
{
    private readonly ManualTimeProvider _clock = new();
    private readonly TestServer _server;
    private readonly HybridInstances _instances;
    private int _loads;

    public HybridCacheBehaviourTests()
    {
        _server = TestServer.Start(time: _clock);
        _instances = new HybridInstances(_clock, () => _server.EndPoint, _server.Server.InProcess);
    }

    public static TheoryData<bool> Transports => [false, true];

    public Task InitializeAsync() => Task.CompletedTask;

    public async Task DisposeAsync()
    {
        await _instances.DisposeAsync();
        _server.Dispose();
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task A_value_is_loaded_once_and_then_served(bool overSocket)
    {
        GarnetHybridCache cache = _instances.Create(overSocket);
        for (int i = 0; i < 3; i++)
            Assert.Equal("v1", await cache.GetOrCreateAsync("k", Load));
        Assert.Equal("v1", await cache.GetOrCreateAsync("k".AsSpan(), Load));
        Assert.Equal("v1", await cache.GetOrCreateAsync($"{'k'}", Load));
        GarnetHybridCache other = _instances.Create(!overSocket);
        Assert.Equal("v1", await other.GetOrCreateAsync("k", Load));
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task The_memory_of_an_instance_is_asked_before_the_server(bool overSocket)
    {
        GarnetHybridCache cache = _instances.Create(overSocket);
        await cache.GetOrCreateAsync("k", Load);
        _server.Server.InProcess.Execute("DEL", "h:entry:k");
        Assert.Equal("v1", await cache.GetOrCreateAsync("k", Load));
        Assert.Equal("v2", await cache.GetOrCreateAsync("k", Load, With(HybridCacheEntryFlags.DisableLocalCacheRead)));
        Assert.Equal("v2", await cache.GetOrCreateAsync("k", Load));
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Flags_turn_levels_off(bool overSocket)
    {
        GarnetHybridCache cache = _instances.Create(overSocket);
        Assert.Null(await cache.GetOrCreateAsync("k", Load, With(HybridCacheEntryFlags.DisableUnderlyingData)));
        Assert.Equal(0, _loads);
        HybridCacheEntryOptions noServer = With(HybridCacheEntryFlags.DisableDistributedCache);
        Assert.Equal("v1", await cache.GetOrCreateAsync("local", Load, noServer));
        Assert.Equal("v1", await cache.GetOrCreateAsync("local", Load, noServer));
        Assert.Equal(0, _server.Server.InProcess.Execute("EXISTS", "h:entry:local").Integer);
        HybridCacheEntryOptions noMemory = With(HybridCacheEntryFlags.DisableLocalCache);
        Assert.Equal("v2", await cache.GetOrCreateAsync("server", Load, noMemory));
        Assert.Equal("v2", await cache.GetOrCreateAsync("server", Load, noMemory));
        _server.Server.InProcess.Execute("DEL", "h:entry:server");
        Assert.Equal("v3", await cache.GetOrCreateAsync("server", Load));
        HybridCacheEntryOptions nothing = With(HybridCacheEntryFlags.DisableLocalCache | HybridCacheEntryFlags.DisableDistributedCache);
        Assert.Equal("v4", await cache.GetOrCreateAsync("none", Load, nothing));
        Assert.Equal("v5", await cache.GetOrCreateAsync("none", Load, nothing));
        Assert.Equal(
            "v6",
            await cache.GetOrCreateAsync(
                "server",
                Load,
                With(HybridCacheEntryFlags.DisableDistributedCacheRead | HybridCacheEntryFlags.DisableLocalCacheRead)
            )
        );
        Assert.Equal("v6", await _instances.Create(overSocket).GetOrCreateAsync("server", Load));
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Entries_expire_in_memory_and_in_the_server(bool overSocket)
    {
        GarnetHybridCache cache = _instances.Create(overSocket);
        HybridCacheEntryOptions options = new() { Expiration = TimeSpan.FromSeconds(10), LocalCacheExpiration = TimeSpan.FromSeconds(4) };
        await cache.GetOrCreateAsync("k", Load, options);
        _server.Server.InProcess.Execute("DEL", "h:entry:k");
        await AdvanceAsync(cache, TimeSpan.FromSeconds(3));
        Assert.Equal("v1", await cache.GetOrCreateAsync("k", Load, options));
        await AdvanceAsync(cache, TimeSpan.FromSeconds(2));
        Assert.Equal("v2", await cache.GetOrCreateAsync("k", Load, options));
        Assert.Equal(10_000, _server.Server.InProcess.Execute("PTTL", "h:entry:k").Integer);
        await AdvanceAsync(cache, TimeSpan.FromSeconds(8));
        // What is left in the server limits what an instance keeps.
        GarnetHybridCache late = _instances.Create(overSocket);
        Assert.Equal("v2", await late.GetOrCreateAsync("k", Load, options));
        await AdvanceAsync(late, TimeSpan.FromSeconds(3));
        Assert.Equal("v3", await late.GetOrCreateAsync("k", Load, options));
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task A_sliding_expiry_is_renewed_by_use_up_to_its_limit(bool overSocket)
    {
        GarnetHybridCache cache = _instances.Create(overSocket);
        GarnetCacheEntryOptions sliding = new() { SlidingExpiration = TimeSpan.FromSeconds(10), Expiration = TimeSpan.FromSeconds(25) };
        await cache.GetOrCreateAsync("k", LoadNoted, sliding);
        for (int i = 0; i < 2; i++)
        {
            await AdvanceAsync(cache, TimeSpan.FromSeconds(8));
            Assert.Equal("v1", await cache.GetOrCreateAsync("k", LoadNoted, sliding));
            await UntilAsync(() => _server.Server.InProcess.Execute("PTTL", "h:entry:k").Integer > 2000);
        }

        Assert.Equal(9_000, _server.Server.InProcess.Execute("PTTL", "h:entry:k").Integer);
        await AdvanceAsync(cache, TimeSpan.FromSeconds(9.5));
        Assert.Equal("v2", await cache.GetOrCreateAsync("k", LoadNoted, sliding));
        GarnetCacheEntryOptions alone = new() { SlidingExpiration = TimeSpan.FromMinutes(20) };
        await cache.GetOrCreateAsync("alone", LoadNoted, alone);
        Assert.Equal(20 * 60_000, _server.Server.InProcess.Execute("PTTL", "h:entry:alone").Integer);
        Assert.Equal(0, _server.Server.InProcess.Execute("EXISTS", "h:until:alone").Integer);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task The_loader_decides_about_the_expiry(bool overSocket)
    {
        GarnetHybridCache cache = _instances.Create(overSocket);
        ValueTask<string> Decide(GarnetCacheEntryContext entry, CancellationToken cancellationToken)
        {
            Assert.Equal("k", entry.Key);
            Assert.Equal(TimeSpan.FromMinutes(1), entry.Expiration);
            entry.Expiration = TimeSpan.FromSeconds(3);
            return Load(cancellationToken)!;
        }

        GarnetCacheEntryOptions minute = new() { Expiration = TimeSpan.FromMinutes(1) };
        await cache.GetOrCreateAsync("k", Decide, minute);
        Assert.Equal(3000, _server.Server.InProcess.Execute("PTTL", "h:entry:k").Integer);
        await AdvanceAsync(cache, TimeSpan.FromSeconds(4));
        Assert.Equal("v2", await cache.GetOrCreateAsync("k", Decide, minute));
        // Not at all: a token of no use, say.
        ValueTask<string> Refuse(GarnetCacheEntryContext entry, CancellationToken cancellationToken)
        {
            entry.Expiration = TimeSpan.Zero;
            return Load(cancellationToken)!;
        }

        Assert.Equal("v3", await cache.GetOrCreateAsync("none", Refuse));
        Assert.Equal("v4", await cache.GetOrCreateAsync("none", Refuse));
        Assert.Equal(0, _server.Server.InProcess.Execute("EXISTS", "h:entry:none", "h:load:none").Integer);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Nulls_are_values(bool overSocket)
    {
        GarnetHybridCache cache = _instances.Create(overSocket);
        for (int i = 0; i < 2; i++)
        {
            Assert.Null(
                await cache.GetOrCreateAsync<string?>(
                    "k",
                    _ =>
                    {
                        _loads++;
                        return ValueTask.FromResult<string?>(null);
                    }
                )
            );
        }

        Assert.Equal(1, _loads);
        Assert.Equal(new GarnetCacheResult<string>(true, null), await cache.TryGetAsync<string>("k"));
        Assert.Equal(new GarnetCacheResult<string>(true, null), await _instances.Create(overSocket).TryGetAsync<string>("k"));
        Assert.Equal(new GarnetCacheResult<string>(false, null), await cache.TryGetAsync<string>("other"));
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Values_that_can_be_changed_are_copies(bool overSocket)
    {
        GarnetHybridCache cache = _instances.Create(overSocket);
        byte[] first = await cache.GetOrCreateAsync("bytes", static _ => ValueTask.FromResult(new byte[] { 1, 2 }));
        first[0] = 9;
        byte[] second = await cache.GetOrCreateAsync<byte[]>("bytes", static _ => throw new InvalidOperationException());
        Assert.Equal([1, 2], second);
        second[0] = 9;
        Assert.Equal([1, 2], (await cache.TryGetAsync<byte[]>("bytes")).Value!);
        Basket basket = await cache.GetOrCreateAsync("basket", static _ => ValueTask.FromResult(new Basket { Articles = ["tea"] }));
        basket.Articles.Add("milk");
        Assert.Equal(["tea"], (await cache.TryGetAsync<Basket>("basket")).Value!.Articles);
        Assert.Equal(["tea"], (await _instances.Create(overSocket).TryGetAsync<Basket>("basket")).Value!.Articles);
        // The same, where callers share a load.
        TaskCompletionSource gate = new();
        Task<Basket>[] callers =
        [
            .. Enumerable
                .Range(0, 3)
                .Select(_ =>
                    cache
                        .GetOrCreateAsync(
                            "shared",
                            async _ =>
                            {
                                await gate.Task;
                                return new Basket();
                            }
                        )
                        .AsTask()
                ),
        ];
        gate.SetResult();
        Basket[] baskets = await Task.WhenAll(callers);
        Assert.Equal(3, baskets.Distinct(ReferenceEqualityComparer.Instance).Count());
        (int, string) pair = await cache.GetOrCreateAsync("pair", static _ => ValueTask.FromResult((1, "one")));
        Assert.Equal(pair, (await _instances.Create(overSocket).TryGetAsync<(int, string)>("pair")).Value);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Set_and_remove_work_by_key_and_in_batches(bool overSocket)
    {
        GarnetHybridCache cache = _instances.Create(overSocket);
        await ReadyAsync(cache);
        await cache.SetAsync("a", 1);
        Assert.Equal(1, (await cache.TryGetAsync<int>("a")).Value);
        await cache.SetAsync("a", 2);
        Assert.Equal(2, (await cache.TryGetAsync<int>("a")).Value);
        await cache.SetManyAsync([KeyValuePair.Create("b", 3), KeyValuePair.Create("c", 4), KeyValuePair.Create("b", 5)]);
        GarnetCacheResult<int>[] many = await cache.TryGetManyAsync<int>(["c", "none", "a", "b", " "]);
        Assert.Equal([(true, 4), (false, 0), (true, 2), (true, 5), (false, 0)], many.Select(static result => (result.Found, result.Value)));
        // Now from memory.
        _server.Server.InProcess.Execute("DEL", "h:entry:a", "h:entry:b", "h:entry:c");
        many = await cache.TryGetManyAsync<int>(["a", "b", "c"]);
        Assert.Equal([2, 5, 4], many.Select(static result => result.Value));
        await cache.RemoveAsync("a");
        await cache.RemoveAsync(["b", "none", "b"]);
        many = await cache.TryGetManyAsync<int>(["a", "b", "c"]);
        Assert.Equal([false, false, true], many.Select(static result => result.Found));
        await cache.RemoveAsync([]);
        await cache.RemoveAsync((IEnumerable<string>)null!);
        await cache.RemoveByTagAsync((IEnumerable<string>)null!);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Tags_remove_what_carries_them(bool overSocket)
    {
        GarnetHybridCache cache = _instances.Create(overSocket);
        await ReadyAsync(cache);
        await cache.SetAsync("a", 1, tags: ["x", "y"]);
        await cache.SetAsync("b", 2, tags: ["y"]);
        await cache.SetAsync("c", 3, tags: ["z", "z"]);
        await cache.SetAsync("d", 4);
        Assert.Equal("abcd", await FoundAsync(cache, "a", "b", "c", "d"));
        await cache.RemoveByTagAsync("x");
        Assert.Equal("bcd", await FoundAsync(cache, "a", "b", "c", "d"));
        await cache.RemoveByTagAsync(["z", "y", "unknown"]);
        Assert.Equal("d", await FoundAsync(cache, "a", "b", "c", "d"));
        await cache.SetAsync("a", 1, tags: ["x"]);
        Assert.Equal("ad", await FoundAsync(cache, "a", "b", "c", "d"));
        await cache.RemoveByTagAsync("*");
        Assert.Equal("", await FoundAsync(cache, "a", "b", "c", "d"));
        await Assert.ThrowsAsync<ArgumentException>(async () => await cache.SetAsync("a", 1, tags: ["*"]));
        await Assert.ThrowsAsync<ArgumentException>(async () => await cache.SetAsync("a", 1, tags: [""]));
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await cache.SetAsync("a", 1, tags: [null!]));
        await Assert.ThrowsAsync<ArgumentException>(async () => await cache.RemoveByTagAsync("\uD800"));
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Keys_that_cannot_be_used_are_loaded_each_time(bool overSocket)
    {
        GarnetHybridCache cache = _instances.Create(overSocket, static options => options.MaximumKeyLength = 10);
        await ReadyAsync(cache);
        int expected = 0;
        foreach (string key in (string[])["", "  ", "eleven char", "lone\uD800", "\uDC00lone"])
        {
            Assert.Equal($"v{++expected}", await cache.GetOrCreateAsync(key, Load));
            Assert.Equal($"v{++expected}", await cache.GetOrCreateAsync(key, Load));
            await cache.SetAsync(key, "set");
            await cache.RemoveAsync(key);
        }

        await Assert.ThrowsAsync<ArgumentNullException>(async () => await cache.GetOrCreateAsync(null!, Load));
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await cache.SetAsync(null!, 1));
        // Any other is a key like the others, whatever it looks like in the server.
        foreach (string key in (string[])["\0\r\n*3\r\n$3", "\U0001F600", "{a}:tag:*", "tag:*"])
        {
            Assert.Equal($"v{++expected}", await cache.GetOrCreateAsync(key, Load));
            Assert.Equal($"v{expected}", await cache.GetOrCreateAsync(key, Load, With(HybridCacheEntryFlags.DisableLocalCacheRead)));
        }
    }

    // What a user types may be a key or a tag: each is one of its own, and removes nothing else.
    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Keys_and_tags_of_hostile_users_concern_nobody_else(bool overSocket)
    {
        string[] hostile =
        [
            "a",
            "A",
            "a ",
            " a",
            "a\0",
            "a\r\n",
            "\r\n*1\r\n$8\r\nFLUSHALL\r\n",
            "entry:a",
            "h:entry:a",
            "{a}",
            "[a]?",
            "a%s%.17g",
            "'..redis.call('FLUSHALL')..'",
            "\u00e9",
            "e\u0301",
            "\u202ea",
            "\ufeffa",
            new string('\u20ac', 1024),
            new string('\u20ac', 1023),
        ];
        GarnetHybridCache cache = _instances.Create(overSocket),
            other = _instances.Create(!overSocket);
        await ReadyAsync(cache);
        await ReadyAsync(other);
        foreach (string key in hostile)
            await cache.SetAsync(key, "of " + key, tags: [key]);
        for (int i = 0; i < hostile.Length; i++)
        {
            if (i % 2 == 0)
                await cache.RemoveAsync(hostile[i]);
            else
                await cache.RemoveByTagAsync(hostile[i]);
            for (int j = 0; j < hostile.Length; j++)
            {
                GarnetCacheResult<string> read = await other.TryGetAsync<string>(hostile[j]);
                Assert.Equal(j > i, read.Found);
                if (read.Found)
                    Assert.Equal("of " + hostile[j], read.Value);
            }
        }
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Values_that_are_too_large_are_not_cached(bool overSocket)
    {
        GarnetHybridCache cache = _instances.Create(overSocket, static options => options.MaximumPayloadBytes = 100);
        await ReadyAsync(cache);
        for (int i = 0; i < 2; i++)
        {
            Assert.Equal(
                101,
                (
                    await cache.GetOrCreateAsync(
                        "k",
                        _ =>
                        {
                            _loads++;
                            return ValueTask.FromResult(new string('x', 101));
                        }
                    )
                ).Length
            );
        }

        Assert.Equal(2, _loads);
        await cache.SetAsync("k", new string('x', 100));
        Assert.True((await cache.TryGetAsync<string>("k")).Found);
        // The value has changed, and the old one would be wrong.
        await cache.SetAsync("k", new string('x', 101));
        Assert.False((await cache.TryGetAsync<string>("k")).Found);
        Assert.Contains(_instances.Log, static line => line.Contains("MaximumPayloadBytes", StringComparison.Ordinal));
    }

    // 100 MB in the full runs.
    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Values_may_be_very_large_if_the_options_say_so(bool overSocket)
    {
        byte[] value = new byte[FaultScale.Count(8, 100) * 1000 * 1000];
        new Random(1).NextBytes(value);
        GarnetHybridCache[] all = [.. Enumerable.Range(0, 2).Select(_ => _instances.Create(overSocket, Large))];
        foreach (GarnetHybridCache cache in all)
            await ReadyAsync(cache);
        Assert.Same(value, await all[0].GetOrCreateAsync("loaded", _ => ValueTask.FromResult(value), tags: ["t"]));
        await all[0].SetAsync("set", value, tags: ["t"]);
        foreach (string key in (string[])["loaded", "set"])
        {
            GarnetCacheResult<byte[]> read = await all[1].TryGetAsync<byte[]>(key);
            Assert.True(read.Found && value.AsSpan().SequenceEqual(read.Value));
        }

        await all[1].RemoveByTagAsync("t");
        Assert.False((await all[0].TryGetAsync<byte[]>("loaded")).Found);

        static void Large(GarnetHybridCacheOptions options) => options.MaximumPayloadBytes = 1L << 30;
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task What_others_have_stored_is_loaded_anew(bool overSocket)
    {
        GarnetHybridCache cache = _instances.Create(overSocket);
        await ReadyAsync(cache);
        byte[][] strange =
        [
            "x"u8.ToArray(),
            new byte[31],
            "GHC\u0001"u8.ToArray(),
            [.. "GHC\u0002"u8, .. new byte[100]],
            [.. "GHC\u0001"u8, .. Enumerable.Repeat((byte)0xFF, 100)],
        ];
        for (int i = 0; i < strange.Length; i++)
        {
            _server.Server.InProcess.Set("h:entry:k" + i, strange[i]);
            Assert.Equal($"v{i + 1}", await cache.GetOrCreateAsync("k" + i, Load));
            Assert.Equal($"v{i + 1}", await cache.GetOrCreateAsync("k" + i, Load, With(HybridCacheEntryFlags.DisableLocalCacheRead)));
        }

        // Another type under the key, and a value that its serializer cannot read.
        _server.Server.InProcess.Execute("LPUSH", "h:entry:list", "x");
        Assert.Equal("v6", await cache.GetOrCreateAsync("list", Load));
        await cache.SetAsync("typed", "no number");
        Assert.Equal(7, await cache.GetOrCreateAsync("typed", static _ => ValueTask.FromResult(7)));
        Assert.Equal(7, await _instances.Create(overSocket).GetOrCreateAsync("typed", static _ => ValueTask.FromResult(8)));
        Assert.Contains(_instances.Log, static line => line.Contains("deserialized", StringComparison.Ordinal));
    }

    // A log line for each request would cost more than the request.
    [Fact]
    public async Task Each_kind_of_trouble_is_reported_once_a_minute()
    {
        GarnetHybridCache cache = _instances.Create(overSocket: false, static options => options.MaximumPayloadBytes = 100);
        await ReadyAsync(cache);
        for (int i = 0; i < 3; i++)
        {
            await TroubleAsync(i);
            Assert.Equal(2, _instances.Log.Count);
        }

        _clock.Advance(TimeSpan.FromMinutes(1));
        await TroubleAsync(3);
        Assert.Equal(
            [
                "1 values were larger than MaximumPayloadBytes and are not cached; the last, under large0, has 101 bytes.",
                "1 stored values were not written by this version of the cache and are loaded anew, the last under strange0.",
                "3 values were larger than MaximumPayloadBytes and are not cached; the last, under large3, has 101 bytes.",
                "3 stored values were not written by this version of the cache and are loaded anew, the last under strange3.",
            ],
            _instances.Log
        );

        async Task TroubleAsync(int number)
        {
            await cache.GetOrCreateAsync("large" + number, static _ => ValueTask.FromResult(new string('x', 101)));
            _server.Server.InProcess.Set("h:entry:strange" + number, "x"u8);
            await cache.GetOrCreateAsync("strange" + number, Load);
        }
    }

    [Fact]
    public async Task Serializers_come_from_the_services()
    {
        _instances.Services.AddSingleton<IHybridCacheSerializer<int>>(new Doubling());
        _instances.Services.AddSingleton<IHybridCacheSerializerFactory>(new UpperCase());
        GarnetHybridCache cache = _instances.Create();
        await cache.GetOrCreateAsync("int", static _ => ValueTask.FromResult(4));
        await cache.GetOrCreateAsync("text", static _ => ValueTask.FromResult("text"));
        Assert.Equal([8], StoredEntry.Read(_server.Server.InProcess.Get("h:entry:int"))!.Payload.ToArray());
        Assert.Equal("TEXT"u8, StoredEntry.Read(_server.Server.InProcess.Get("h:entry:text"))!.Payload.Span);
        // One that throws: the caller has its value.
        Assert.Equal(200, await cache.GetOrCreateAsync("large", static _ => ValueTask.FromResult(200)));
        Assert.False((await cache.TryGetAsync<int>("large")).Found);
        Assert.Equal(0, _server.Server.InProcess.Execute("EXISTS", "h:load:large").Integer);
        await Assert.ThrowsAsync<OverflowException>(async () => await cache.SetAsync("large", 200));
    }

    [Fact]
    public async Task Policies_and_defaults_are_merged_with_what_a_call_says()
    {
        GarnetHybridCache cache = _instances.Create(configure: static options =>
        {
            options.DefaultEntryOptions = new GarnetCacheEntryOptions { Expiration = TimeSpan.FromSeconds(20) };
            options.Policies["short"] = new GarnetCacheEntryOptions { Expiration = TimeSpan.FromSeconds(2) };
        });
        await ReadyAsync(cache);
        await cache.SetAsync("default", 1);
        await cache.SetAsync("policy", 1, cache.Policy("short"));
        await cache.SetAsync("call", 1, new HybridCacheEntryOptions { Expiration = TimeSpan.FromSeconds(5) });
        await cache.SetAsync("flags", 1, new HybridCacheEntryOptions { Flags = HybridCacheEntryFlags.DisableLocalCache });
        Assert.Equal(
            [20_000, 2_000, 5_000, 20_000],
            ((string[])["default", "policy", "call", "flags"]).Select(key =>
                _server.Server.InProcess.Execute("PTTL", "h:entry:" + key).AsInt64()
            )
        );
        Assert.Throws<KeyNotFoundException>(() => cache.Policy("none"));
    }

    [Fact]
    public async Task Memory_stays_within_its_limit()
    {
        GarnetHybridCache cache = _instances.Create(configure: static options => options.MaximumLocalBytes = 100_000);
        await ReadyAsync(cache);
        string value = new('x', 500);
        for (int i = 0; i < 500; i++)
            await cache.GetOrCreateAsync("k" + i, _ => ValueTask.FromResult(value));
        Assert.InRange(cache.Parts.Local.Bytes, 50_000, 100_000);
        Assert.InRange(cache.Parts.Local.Count, 40, 100);
    }

    private Task ReadyAsync(GarnetHybridCache cache) => HybridInstances.AdvanceAsync(_clock, HybridInstances.Lease, cache);

    private Task AdvanceAsync(GarnetHybridCache cache, TimeSpan time) => HybridInstances.AdvanceAsync(_clock, time, cache);

    private static Task UntilAsync(Func<bool> condition) => HybridInstances.UntilAsync(condition);

    private static async Task<string> FoundAsync(GarnetHybridCache cache, params string[] keys)
    {
        string found = "";
        foreach (string key in keys)
            found += (await cache.TryGetAsync<int>(key)).Found ? key : "";
        return found;
    }

    private static HybridCacheEntryOptions With(HybridCacheEntryFlags flags) => new() { Flags = flags };

    private ValueTask<string> Load(CancellationToken cancellationToken) => ValueTask.FromResult($"v{++_loads}");

    private ValueTask<string> LoadNoted(GarnetCacheEntryContext entry, CancellationToken cancellationToken) => Load(cancellationToken);

    private sealed class Basket
    {
        [JsonInclude]
        public List<string> Articles { get; set; } = [];
    }

    private sealed class Doubling : IHybridCacheSerializer<int>
    {
        public int Deserialize(ReadOnlySequence<byte> source) => source.FirstSpan[0] / 2;

        public void Serialize(int value, IBufferWriter<byte> target) => target.Write([checked((byte)(2 * value))]);
    }

    private sealed class UpperCase : IHybridCacheSerializerFactory, IHybridCacheSerializer<string>
    {
        public bool TryCreateSerializer<T>([NotNullWhen(true)] out IHybridCacheSerializer<T>? serializer)
        {
            serializer = this as IHybridCacheSerializer<T>;
            return serializer is not null;
        }

        public string Deserialize(ReadOnlySequence<byte> source) => System.Text.Encoding.UTF8.GetString(source.ToArray());

        public void Serialize(string value, IBufferWriter<byte> target) =>
            target.Write(System.Text.Encoding.UTF8.GetBytes(value.ToUpperInvariant()));
    }
}
